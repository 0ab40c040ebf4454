"""What a number is a number of: time, length, weight, volume, area, data, power or money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..findings import Span
from .numbers import Number, exact_numbers, same_digits, unmatched

CONVERTED = 0.02  # share by which 52 km and 32 miles may differ


class Unit(NamedTuple):
    """A unit: of what, what it can be converted to (one currency is not another), and how large it is."""

    family: str
    kind: str
    size: float


def _listed(family: str, kind: str, **sizes: float) -> dict[str, Unit]:
    return {name: Unit(family, kind, size) for names, size in sizes.items() for name in names.split("_")}


_UNITS = (
    _listed(
        "time", "time", second_seconds_sec_secs=1, minute_minutes_min_mins=60, h_hour_hours_hr_hrs=3600,
        day_days=86400, week_weeks=604800, month_months=2629800, year_years_yr_yrs=31557600,
    )
    | _listed(
        "length", "length", mm_millimeter_millimeters_millimetre_millimetres=0.001, inch_inches=0.0254,
        cm_centimeter_centimeters_centimetre_centimetres=0.01, foot_feet_ft=0.3048, yard_yards=0.9144,
        meter_meters_metre_metres=1, km_kilometer_kilometers_kilometre_kilometres=1000, mile_miles=1609.344,
    )
    | _listed(
        "weight", "weight", mg_milligram_milligrams=1e-6, g_gram_grams=0.001, ounce_ounces_oz=0.02835, lb_lbs=0.45359,
        kg_kgs_kilo_kilos_kilogram_kilograms=1, ton_tons_tonne_tonnes=1000,
    )
    | _listed(
        "volume", "volume", ml_milliliter_milliliters_millilitre_millilitres=0.001, cl_centilitre_centilitres=0.01,
        l_liter_liters_litre_litres=1, pint_pints=0.5683, gallon_gallons=4.546,
    )
    | _listed("area", "area", acre_acres=4046.86, hectare_hectares_ha=10_000)
    | _listed(
        "data", "data", kb_kilobyte_kilobytes=1e3, mb_megabyte_megabytes=1e6, gb_gigabyte_gigabytes=1e9,
        tb_terabyte_terabytes=1e12,
    )
    | _listed("power", "power", watt_watts_w=1, kw_kilowatt_kilowatts=1e3, megawatt_megawatts_mw=1e6)
    | _listed("money", "dollar", dollar_dollars_buck_bucks_usd=1, cent_cents=0.01)
    | _listed("money", "euro", euro_euros_eur=1)
    | _listed("money", "pound", pound_pounds_gbp_quid=1, pence_penny=0.01)
    | _listed("money", "yen", yen_jpy=1)
    | _listed("money", "rupee", rupee_rupees_rs_inr=1)
)  # fmt: skip
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}
# a word of two units
_ALSO = {
    "pound": Unit("weight", "weight", 0.45359), "pounds": Unit("weight", "weight", 0.45359),
    "pint": Unit("volume", "volume", 0.4732), "pints": Unit("volume", "volume", 0.4732),
    "gallon": Unit("volume", "volume", 3.785), "gallons": Unit("volume", "volume", 3.785),
    "cent": Unit("money", "euro", 0.01), "cents": Unit("money", "euro", 0.01),
}  # fmt: skip
_AFTER = re.compile(r"(?: |-|)([^\W\d_]+|[$€£¥₹])")
_BEFORE = re.compile(r"([$€£¥₹]|\b(?:USD|EUR|GBP|JPY|INR|Rs)) ?$")
_LONGEST = 4  # of what stands before a number
_PERCENT = re.compile(r"%\s?\d|\d\s?%|\d[\s-]?(?:percent|per cent|pct)\b", re.IGNORECASE)
_SHARE = Unit("percent", "percent", 0.01)


def unit(text: str, number: Span) -> tuple[tuple[Unit, ...], Span]:
    """What the number may be of, none where that is not known; and the number with it."""
    before = _BEFORE.search(text, max(number.start - _LONGEST, 0), number.start) if number.start else None
    if before:
        return (_UNITS[_SIGNS.get(before[1], before[1].lower())],), Span(before.start(), number.end)
    after = _AFTER.match(text, number.end)
    name = _SIGNS.get(after[1], after[1].lower()) if after else ""
    known = tuple(table[name] for table in (_UNITS, _ALSO) if name in table)
    return known, Span(number.start, after.end()) if known and after else number


def same_numbers(one: str, other: str) -> bool:
    """Have both texts the same numbers, however they are written, and the same currencies and percent?

    >>> same_numbers("1,000 of 3", "3 in 1,000"), same_numbers("two of 1,000", "2 of 1000"), same_numbers("5%", "5")
    (True, True, False)
    """
    ours, theirs = exact_numbers(one), exact_numbers(other)
    if any(unmatched(ours, theirs, same_digits)):
        return False
    here, there = _units_of(one, ours), _units_of(other, theirs)
    return not any(
        _is_counted(units) and units.isdisjoint(set().union(*others))
        for own, others in ((here, there), (there, here))
        for units in own
    )


def _units_of(text: str, found: Sequence[Number]) -> list[set[Unit]]:
    """What the numbers of a text may count: of "5 or 6%" only the second says it, so numbers are not asked in pairs."""
    units = [set(unit(text, one.span)[0]) for one in found]
    return [*units, {_SHARE}] if _PERCENT.search(text) else units


def _is_counted(units: set[Unit]) -> bool:
    """Is it money, or percent?"""
    return any(one.family in ("money", "percent") for one in units)


def same_amount(
    one: float, units: tuple[Unit, ...], other: float, others: tuple[Unit, ...], close: float = CONVERTED
) -> bool:
    """Is it the same in other units: 24 months and two years?"""
    amounts = (
        (one * unit.size, other * another.size)
        for unit in units
        for another in others
        if unit.kind == another.kind and unit.size != another.size
    )
    return any(is_close(here, there, close) for here, there in amounts)


def is_close(one: float, other: float, close: float = CONVERTED) -> bool:
    """Are two amounts the same, but for what is lost where they are converted and rounded?"""
    return abs(one - other) <= close * max(one, other)


def other_unit(units: tuple[Unit, ...], others: tuple[Unit, ...]) -> bool:
    """Are they units of the same, and not the same: miles and kilometres, dollars and euros?"""
    families = {unit.family for unit in units} & {unit.family for unit in others}
    return bool(families) and set(units).isdisjoint(others)
