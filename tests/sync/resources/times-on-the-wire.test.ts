/**
 * Date-times leave with +09:00, whatever form the device holds them in, and name the moment they named (WR1). Over every
 * call of every resource that is pushed.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PushableRecord } from '#schemas/change.ts'
import type { Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { emergencyReport, type EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import { safetyMeasure } from '#schemas/resources/safety-measure.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { noteLocationArea } from '#schemas/resources/note-location-area.ts'
import { pastReportWire } from '#schemas/resources/past-report.ts'
import { requestWire } from '#schemas/resources/request.ts'
import { wireDateTime } from '#schemas/declare/wire.ts'
import { isOurs } from '#sync/wire/declared.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import type { Api } from '#sync/scheduler/api.ts'
import { fieldsOf, filledIn } from '../../support/declared-values.ts'

const TOKYO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?\+09:00$/
const two = (n: number) => String(n).padStart(2, '0')

/** A moment in one of the forms that a CRM may write (crm-contract 2). */
const written = fc
  .record({
    ms: fc.integer({ min: Date.parse('2000-01-01T00:00:00Z'), max: Date.parse('2099-12-31T23:59:59Z') }),
    minutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    form: fc.constantFrom('Z', '+hh:mm', '+hhmm'),
    precision: fc.constantFrom('minute', 'second', 'milli', 'micro'),
  })
  .map(({ ms, minutes, form, precision }) => {
    const step = precision === 'minute' ? 60_000 : precision === 'second' ? 1_000 : 1
    const at = Math.floor(ms / step) * step
    const offset = form === 'Z' ? 0 : minutes
    const local = new Date(at + offset * 60_000).toISOString()
    const text = { minute: local.slice(0, 16), second: local.slice(0, 19), milli: local.slice(0, 23) }
    const clock = precision === 'micro' ? `${local.slice(0, 23)}456` : text[precision]
    const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
    const zone = `${offset < 0 ? '-' : '+'}${two(hours)}${form === '+hhmm' ? '' : ':'}${two(rest)}`
    return { at, text: clock + (form === 'Z' ? 'Z' : zone) }
  })

/** Content with every field filled in: the first time field and the texts with `start`, the other times with `end`. */
function contentOf(collection: PushCollection, start: string, end: string): Record<string, unknown> {
  const fields = fieldsOf(declared[collection])
  const first = fields.find(([, { kind }]) => kind === 'time')?.[0]
  const valueOf = (name: string, field: Field) => {
    if (field.kind === 'time') return name === first ? start : end
    return field.kind === 'text' ? start : filledIn(field)
  }
  return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(name, field)]))
}

function recordOf(collection: PushCollection, kind: string, start: string, end: string) {
  const fields = contentOf(collection, start, end)
  const change = {
    id: 'c1',
    stamp: '2',
    savedAt: '2026-11-20T01:00:00Z',
    userId: 'u1',
    offline: false,
    kind,
    fields,
    // the base is empty, so that every field counts as edited
    madeOn: { stamp: '1', fields: {} },
    group: 'g',
  }
  const server = { ...fields, id: 's1', editStatus: 'OK', detailed: true, stamp: '1' }
  const isNew = kind === 'entry' || kind === 'create'
  const record = {
    key: 'r1_2026-11-20',
    requestId: 'r1',
    workingDate: '2026-11-20',
    workingDateType: '1',
    safetyType: '1',
    contactType: '02',
    locationAreaId: 'a1',
    noteType: '1',
    serverId: isNew ? '' : 's1',
    ...(!isNew && { server: kind === 'exit' ? { ...server, outTime: null } : server }),
    changes: [change],
    unsent: 'yes',
  } as unknown as PushableRecord
  return { record, change }
}

const bodyOf = (collection: PushCollection, kind: string, start: string, end: string) => {
  const { record, change } = recordOf(collection, kind, start, end)
  const plan = resourceOf(collection).plan({ record, change }, [record], 'staff')
  if (!plan) throw new Error(`no call for ${collection} ${kind}`)
  return plan.call.body as Record<string, unknown>
}

const calls = pushCollections.flatMap((collection) =>
  declared[collection].kinds.map((kind) => [collection, kind] as const),
)

describe('[WR1] what leaves', () => {
  test.each(calls)('%s, %s: every time with +09:00, the moment it was', (collection, kind) => {
    fc.assert(
      fc.property(written, written, (start, end) => {
        const body = bodyOf(collection, kind, start.text, end.text)
        const times = Object.entries(body).filter(([name]) => name.endsWith('Time'))
        for (const [name, time] of times) {
          expect([name, time]).toEqual([name, expect.stringMatching(TOKYO)])
          expect([start.at, end.at]).toContain(Date.parse(String(time)))
        }
      }),
    )
  })

  test('the law looks at times: six calls have them', () => {
    const timed = calls.filter(([collection, kind]) => {
      const body = bodyOf(collection, kind, '2026-11-20T00:00:00Z', '2026-11-20T01:00:00Z')
      return Object.keys(body).some((name) => name.endsWith('Time'))
    })
    expect(timed.map((call) => call.join(' '))).toEqual([
      'quickReports entry',
      'quickReports exit',
      'quickReports edit',
      'emergencyReports create',
      'emergencyReports edit',
      'safetyMeasures create',
    ])
  })

  test('words that look like a time stay as they were written', () => {
    const words = '2026-11-20T00:00:00Z'
    expect(bodyOf('noteLocationAreas', 'edit', words, words)).toMatchObject({ note: words })
  })
})

describe('[WR1] what is read', () => {
  test('every form of a moment becomes the one with +09:00; read again it stays', () => {
    fc.assert(
      fc.property(written, ({ at, text }) => {
        const read = String(wireDateTime.assert(text))
        expect(read).toMatch(TOKYO)
        expect(Date.parse(read)).toBe(at)
        expect(wireDateTime.assert(read)).toBe(read)
      }),
    )
  })

  test.each(['0000-01-01T00:00:00+14:00', '9999-12-31T23:00:00Z'])(
    '%s has no year of four digits in Tokyo: not a date-time',
    (text) => expect(() => wireDateTime.assert(text)).toThrow('date-time'),
  )

  const Z = '2026-11-20T00:00:00Z'
  const row = { id: 's1', requestId: 'r1', workingDate: '2026-11-20', safetyType: '1', requestCode: 'C1' }
  test.each<[string, (raw: unknown) => object, string[]]>([
    [
      'a request',
      (raw) => requestWire.assert(raw),
      ['workingStartTime', 'workingEndTime', 'noWaterStartTime'],
    ],
    ['an emergency report', (raw) => wireOf(emergencyReport).assert(raw), ['workingStartTime', 'createdAt']],
    ['a safety measure', (raw) => wireOf(safetyMeasure).assert(raw), ['workingStartTime', 'createdAt']],
    ['a quick report', (raw) => wireOf(quickReport).assert(raw), ['inTime', 'outTime']],
    ['a note', (raw) => wireOf(noteLocationArea).assert(raw), ['createdAt']],
    ['a past report', (raw) => pastReportWire.assert(raw), ['workingStartTime', 'workingEndTime']],
  ])('%s', (_, parse, names) => {
    const times = Object.fromEntries(names.map((name) => [name, Z]))
    const wanted = Object.fromEntries(names.map((name) => [name, '2026-11-20T09:00:00+09:00']))
    expect(parse({ ...row, ttsOrder: {}, ...times })).toMatchObject(wanted)
  })
})

describe('[WR1][OC3] what is read back is ours where it names the moment that was sent', () => {
  test('an emergency report', () => {
    fc.assert(
      fc.property(written, written, (stored, read) => {
        const content = contentOf('emergencyReports', stored.text, stored.text)
        const same = new Date(stored.at).toISOString()
        const codes = {
          emergencyContents: String(content['emergencyContents']),
          risk: String(content['risk']),
        }
        const row = { ...content, ...codes, id: 'e1', requestId: 'r1' }
        const ours = (time: string) =>
          isOurs(
            emergencyReport,
            { requestId: 'r1', workingDate: '2026-11-20' },
            content as EmergencyReportRecord['changes'][number]['fields'],
            wireOf(emergencyReport).assert({ ...row, workingStartTime: time, workingEndTime: same }),
          )
        expect(ours(same)).toBe(true)
        expect(ours(read.text)).toBe(read.at === stored.at)
      }),
    )
  })

  test('an entry', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (stored) => {
        const { record, change } = recordOf('quickReports', 'entry', stored.text, stored.text)
        const quickReport = { id: 'q1', inTime: new Date(stored.at).toISOString() }
        const row = { id: 'r1', requestCode: 'C1', workingDate: '2026-11-20', ttsOrder: {}, quickReport }
        const answer: Outcome = { kind: 'accepted', status: 200, body: row, total: null }
        const reader = { read: async () => answer }
        const api: Api = { ...reader, fresh: reader, write: async () => answer }
        const read = { api, loginUserId: 's', takenIds: async () => new Set<string>() }
        expect(await resourceOf('quickReports').readBack({ record, change }, read)).toMatchObject({
          kind: 'ours',
        })
      }),
    )
  })
})
