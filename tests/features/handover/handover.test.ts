import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import {
  handoverLines,
  HANDOVER_LINES_MAX,
  RECENT_EMERGENCY_DAYS,
  type EmergencyFact,
  type ExitFact,
  type HandoverLine,
  type MachineFacts,
  type NoteFact,
} from '#features/handover/handover.ts'
import { addDays } from '#lib/time/tokyo-time.ts'

const DAY = '2026-11-20'

const emergencyItem = {
  id: 'i1',
  emergencyContentsName: '機器面',
  emergencyContentsDetails: '満水警報が鳴動。',
  riskName: null,
  correspondenceDateName: null,
  ttsStaffContactName: null,
}

const report = (workingDate: string, over: Partial<PastReportRecord> = {}): PastReportRecord => ({
  key: `d1_${workingDate}`,
  deviceId: 'd1',
  id: workingDate,
  workingDate,
  workingStartTime: null,
  workingEndTime: null,
  reportCatName: '点検',
  supplierName: null,
  supplierStaffName: null,
  requestDetail: null,
  specialComment: '軸受の摩耗',
  emergencyReports: [],
  ...over,
})
const emergency = (day: string, isOpen = true): EmergencyFact => ({
  day,
  contents: '安全面',
  details: '手すりなし',
  isOpen,
})
const exit = (day: string, over: Partial<ExitFact> = {}): ExitFact => ({
  id: `q ${day}`,
  day,
  at: Date.parse(`${day}T12:00:00+09:00`),
  category: '作業未完了',
  reason: '悪天候',
  unsent: null,
  ...over,
})
const note = (day: string, over: Partial<NoteFact> = {}): NoteFact => ({
  id: `n ${day}`,
  day,
  at: Date.parse(`${day}T12:30:00+09:00`),
  type: '1',
  note: 'ふたが重い',
  unsent: null,
  ...over,
})
const facts = (over: Partial<MachineFacts>): MachineFacts => ({
  day: DAY,
  reports: [],
  emergencies: [],
  exits: [],
  notes: [],
  ...over,
})
const said = (over: Partial<MachineFacts>) =>
  handoverLines(facts(over)).map(({ kind, day }) => `${kind} ${day}`)

const OLD = addDays(DAY, -RECENT_EMERGENCY_DAYS - 1)

describe('[issue 54] 前回からの引き継ぎ of one machine', () => {
  test.each<[string, Partial<MachineFacts>, string[]]>([
    ['nothing', {}, []],
    ['the newest report', { reports: [report('2026-08-27'), report('2026-09-01')] }, ['report 2026-09-01']],
    ['no report of a later day', { reports: [report('2026-11-21')] }, []],
    [
      'an exit newer than the report, and the note left with it',
      {
        reports: [report('2026-08-27')],
        exits: [exit('2026-11-19')],
        notes: [note('2026-11-19'), note('2026-11-01')],
      },
      ['note 2026-11-19', 'exit 2026-11-19', 'report 2026-08-27'],
    ],
    [
      'no note of before the last visit',
      { reports: [report('2026-11-10')], notes: [note('2026-11-09')] },
      ['report 2026-11-10'],
    ],
    ['a note where nobody has been', { notes: [note('2026-01-05')] }, ['note 2026-01-05']],
    [
      'an emergency first, and the oldest of four gives room',
      {
        reports: [report('2026-11-01')],
        emergencies: [emergency('2026-11-18')],
        exits: [exit('2026-11-19')],
        notes: [note('2026-11-19')],
      },
      ['emergency 2026-11-18', 'note 2026-11-19', 'exit 2026-11-19'],
    ],
    [
      'an emergency of a past report, as long as it is recent',
      { reports: [report('2026-10-01', { emergencyReports: [emergencyItem] })] },
      ['emergency 2026-10-01', 'report 2026-10-01'],
    ],
    [
      'an old one of a past report is over',
      { reports: [report(OLD, { emergencyReports: [emergencyItem] })] },
      [`report ${OLD}`],
    ],
    ['an old one that is open', { emergencies: [emergency(OLD)] }, [`emergency ${OLD}`]],
    ['an old one that was taken over', { emergencies: [emergency(OLD, false)] }, []],
    ['none of the visit’s own day', { emergencies: [emergency(DAY)] }, []],
  ])('%s', (_, given, lines) => {
    expect(said(given)).toEqual(lines)
  })

  test('an emergency of a past report names its popup', () => {
    const reports = [report('2026-10-01', { id: 'r9', emergencyReports: [emergencyItem] })]
    expect(handoverLines(facts({ reports }))[0]).toMatchObject({ popup: 'emergency-r9-1' })
  })
})

const day = fc.integer({ min: -200, max: 20 }).map((days) => addDays(DAY, days))
const anyFacts: fc.Arbitrary<MachineFacts> = fc.record({
  day: fc.constant(DAY),
  reports: fc.uniqueArray(
    fc
      .tuple(day, fc.boolean())
      .map(([at, isUrgent]) => report(at, { emergencyReports: isUrgent ? [emergencyItem] : [] })),
    { maxLength: 5, selector: ({ id }) => id },
  ),
  emergencies: fc.array(
    fc.tuple(day, fc.boolean()).map(([at, isOpen]) => emergency(at, isOpen)),
    { maxLength: 4 },
  ),
  exits: fc.uniqueArray(day.map(exit), { maxLength: 4, selector: ({ id }) => id }),
  notes: fc.uniqueArray(day.map(note), { maxLength: 4, selector: ({ id }) => id }),
})
const ofKind = (lines: readonly HandoverLine[], kind: HandoverLine['kind']) =>
  lines.filter((line) => line.kind === kind)

describe('[issue 54] whatever is on the device', () => {
  test('at most three lines, one of a kind, none of a later day, the emergency first and never left out', () => {
    fc.assert(
      fc.property(anyFacts, (all) => {
        const lines = handoverLines(all)
        expect(lines.length).toBeLessThanOrEqual(HANDOVER_LINES_MAX)
        expect(new Set(lines.map(({ kind }) => kind)).size).toBe(lines.length)
        expect(lines.filter((line) => line.day > DAY)).toEqual([])
        const open = all.emergencies.some((each) => each.isOpen && each.day < DAY)
        if (open) expect(lines[0]?.kind).toBe('emergency')
        const days = lines.filter(({ kind }) => kind !== 'emergency').map((line) => line.day)
        expect(days).toEqual(days.toSorted().toReversed())
      }),
    )
  })

  test('nothing newer is left out for something older, and the order of what was read does not count', () => {
    fc.assert(
      fc.property(anyFacts, (all) => {
        const lines = handoverLines(all)
        const until = all.reports.map(({ workingDate }) => workingDate).filter((each) => each <= DAY)
        const [shown] = ofKind(lines, 'report')
        if (shown) expect(shown.day).toBe(until.toSorted().at(-1))
        if (lines.length < HANDOVER_LINES_MAX && until.length > 0) expect(shown).toBeDefined()
        const turned = {
          ...all,
          reports: all.reports.toReversed(),
          emergencies: all.emergencies.toReversed(),
          exits: all.exits.toReversed(),
          notes: all.notes.toReversed(),
        }
        expect(handoverLines(turned)).toEqual(lines)
      }),
    )
  })
})
