"""Scenarios: a rules question, a worked example or a bug as a small file that runs.

Write one like this, and run it with ``warledger scenario run FILE`` or from pytest (every
``*.yaml`` under tests/scenarios is a test, named by its file):

    name: A charge that falls short
    rules: [CMOV-8, CRNG-1]
    profiles:
      ork: 4 2 3 4 1 2 2 7 6+          # WS BS S T W I A Ld Sv; "-" for none, 4++ as a tenth
    weapons:
      boltgun: 24 4 5 rapid fire       # range in inches, S, AP, type; "heavy 3" fires three
      mortar: 12-48 4 6 heavy 1, blast # a minimum range; "large blast", "grenade", rules by name
      torch: template 4 5 assault 1    # or "36 5 4 salvo 2/4", shots of who moved first
      choppa: "- user - melee"         # no range; S is user, +1, x2 or a number
    given:
      table: 72x48                     # inches, as every length
      objectives: {hill: "36,24"}      # or {hill: {at: "36,24", points: 3}}
      terrain:                         # two corners or a convex polygon; or parts: [{at, height}]
        hut: {kind: impassable, at: "40,20 44,22", height: 3, cover: 4+}
        wood: {kind: difficult, at: "50,20 56,26", height: 2, dense: false, area: true}
      clock: {game_turn: 2, active: red, phase: assault}
      phase: {fighting: false}         # any field of the phase's Struct in projections/battle.py
      zones: {red: south, blue: north} # or two corners: 0,0 72,12
      units:
        boyz:
          side: red
          profile: ork
          weapons: [choppa]
          models: 10,10 11.5,10 13,10  # places in inches; or rows, see below
          started: 10                  # models at the start of the game
          moved: true                  # turn record: moved, ran, target, fired, declared,
                                       # charged, disordered, overwatch, regrouped, ... (UnitTurn)
        warriors:
          side: blue
          base: 32                     # width in mm; 25 unless told otherwise
          falling_back: false          # locked: true, gone_to_ground: true, phase_started: 5
          rules: [frag grenades]       # special rules and wargear of all models; or in a row
          weapons: boltgun
          models:
            - {count: 5, at: "10,20", spacing: "1.5,0"}
            - {at: "10,22 12,22", profile: 4 4 4 4 2 4 2 9 3+, weapons: boltgun, lost: 1}
            - {n: 10, count: 3, removed: true}
    play:                              # lines of engine.notation; the side asked plays them,
      - charge boyz > warriors         # or "- red: charge boyz > warriors"
      - overwatch no
    dice: 3 4                          # in order, used up exactly
    expect:
      facts:                           # these, in this order, others may stand between
        - charge_rolled: {distance: 7}
        - charge_failed: {unit: boyz}
      no_facts: [unit_charged]
      counts: {model_removed: 0}
      battle:
        units:
          boyz: {models: 3, at: "10,10 11.5,10 13,10", locked: false, lost: 0}
        score: {red: 0}
        question: move                 # or {ask: move, player: blue}; outcome: red, draw, none

Instead of ``expect`` (or with it), ``refused: CDEC-2`` says that the last line of play is refused
by that rule. Every length is inches; a fact is named by its tag. Left out, the table is 72x48,
the clock game turn 1, red's Movement phase, and a unit's stat line 3 3 3 3 1 3 1 7 -.
A play that is left out runs the rules to their first question. `write_scenario` makes such a file
out of any game.

>>> scenario = parse('''
... given:
...   units:
...     boyz: {side: red, models: "10,10"}
...     warriors: {side: blue, models: "10,20"}
... play: [move boyz toward warriors 6]
... expect: {battle: {units: {boyz: {at: "10,16"}}}}
... ''')
>>> run(scenario).verdict
<Verdict.PASSED: 'passed'>
"""

from engine.scenarios.running import Play, Result, Scenario, Verdict, load, parse, run
from engine.scenarios.writing import write_scenario

__all__ = ["Play", "Result", "Scenario", "Verdict", "load", "parse", "run", "write_scenario"]
