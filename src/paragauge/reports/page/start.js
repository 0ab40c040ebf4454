// The page comes to life.

function fromHash() {
  Object.assign(state, { x: data.map.across, y: data.map.up });
  readHash();
  changed('all');
}

readData().then(found => {
  data = found;
  startSheets();
  if ($('map-frame')) {
    startVerdict(); startMap(); startRows(); startPair();
    fromHash();
    addEventListener('hashchange', () => { if (location.hash !== writeHash.own && location.hash.includes('=')) fromHash(); });
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}).catch(error => { say(`The data of this page cannot be read: ${error.message}`); throw error; });
