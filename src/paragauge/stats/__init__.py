"""Statistics of agreement: functions on arrays, their intervals and their tests."""
