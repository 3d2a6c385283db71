/** A record's history has the edits of another company, whichever read returns them first (MG5). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HISTORY_MAX, othersEdits, replacedHere, currentEdits } from '#schemas/change-history.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { withOthersEdits } from '#sync/merge/merge.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import { purge } from '#sync/retention/expiry.ts'
import { until, type Device } from '../../support/device.ts'
import { elsewhere } from '../../support/other-company.ts'
import { COMPLETED, enter, leave, nth, todayScene, OUT_TIME } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = todayScene()

async function left() {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await leave(device, [request])
  await app.sent(device)
  const { id } = nth(await app.reports(request.id), 0)
  const record = async () => await viewIn(device.db, 'quickReports', request.key)
  return { device, request, id, record }
}
const refresh = (device: Device) => askRefresh(device.db, (app.phone.now += 1_000))
const THEIRS = { ...COMPLETED, type: '2', reason1: '4', reportContent: '他社の報告' }

describe('[MG5] quickReports', () => {
  test('what another company changed is in the history with both values, and stands', async () => {
    const { device, id, record } = await left()
    await elsewhere(`quickReport/${id}`, THEIRS)
    await refresh(device)
    await until(async () => (await record()).server?.reportContent === '他社の報告')
    const { history, server } = await record()
    expect(othersEdits(history)).toEqual(
      expect.arrayContaining([
        { field: 'type', before: '1', after: '2', stamp: expect.any(String) },
        { field: 'reportContent', before: '完了しました', after: '他社の報告', stamp: expect.any(String) },
      ]),
    )
    expect(replacedHere(history)).toEqual([])
    expect(currentEdits(history, server ?? {}).map(({ field }) => field)).toContain('reportContent')
  })

  test('an edit of one’s own is nobody else’s, however often it is read', async () => {
    const { device, record } = await left()
    await saveReport(device.saver(), [await record()], 'edit', {
      ...COMPLETED,
      type: '2',
      reason1: '4',
      reportContent: '直しました',
    })
    await app.sent(device)
    await refresh(device)
    await until(async () => (await record()).server?.detailed === true)
    expect((await record()).server).toMatchObject({ reportContent: '直しました', outTime: OUT_TIME })
    expect((await record()).history ?? []).toEqual([])
  })

  test('it goes with its record, and with nothing else', async () => {
    const { device, id, record } = await left()
    await elsewhere(`quickReport/${id}`, THEIRS)
    await refresh(device)
    await until(async () => othersEdits((await record()).history).length >= 2)
    await saveReport(device.saver(), [await record()], 'edit', { ...COMPLETED, reportContent: '書き直し' })
    await app.sent(device)
    const { history, server } = await record()
    expect(othersEdits(history).map(({ field }) => field)).toContain('reportContent')
    // a field that was edited here since is no longer marked
    expect(currentEdits(history, server ?? {}).map(({ field }) => field)).not.toContain('reportContent')
  })
})

describe('[EX1b][MG5] what a record said before', () => {
  const theirs = async () => {
    const scene = await left()
    await elsewhere(`quickReport/${scene.id}`, THEIRS)
    await refresh(scene.device)
    await until(async () => othersEdits((await scene.record()).history).length >= 2)
    return scene
  }
  const tidy = ({ db, bytes }: Device, hours: number) =>
    purge({
      db,
      store: rxQueueStore(db),
      bytes,
      now: app.phone.now + hours * 3_600_000,
      typedBefore: -Infinity,
    })

  test('leaves the device a day after it was seen to change; the record stays, and is not sent', async () => {
    const { device, record } = await theirs()
    await tidy(device, 23)
    expect(othersEdits((await record()).history).length).toBeGreaterThanOrEqual(2)
    const writes = app.writes().length
    await tidy(device, 25)
    expect(JSON.stringify(await record())).not.toContain('完了しました')
    expect((await record()).server?.reportContent).toBe('他社の報告')
    await app.sent(device)
    expect(app.writes()).toHaveLength(writes)
  })

  test('[SV3] stays while an edit is unsent', async () => {
    const { device, record } = await theirs()
    device.network.next(false)
    await saveReport(device.saver(), [await record()], 'edit', { ...COMPLETED, reportContent: '書き直し' })
    await tidy(device, 25)
    const { history, changes } = await record()
    expect(othersEdits(history).length).toBeGreaterThanOrEqual(2)
    expect(changes).toHaveLength(1)
  })
})

const text = fc.constantFrom(null, '', 'a', 'b', 'a ', 'a\r\nb', 'a\nb')
const content = fc.record({ parkingType: text, parkingMethod: text, inMethod: text })
const state = (fields: object, stamp: string, detailed: boolean) => ({ ...fields, id: 'x', detailed, stamp })
type Held = Parameters<typeof withOthersEdits>[2]
const NAME = 'customerLocationChangeRequests'

describe('[MG5] laws', () => {
  test('only what differs is told, never what was saved here, at most so much of a field', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(content, fc.boolean()), { minLength: 2, maxLength: 12 }),
        content,
        (states, mine) => {
          const change = { id: 'c', fields: mine }
          let record: Held = { changes: [change] }
          for (const [index, [fields, detailed]] of states.entries()) {
            const now = { ...record, server: state(fields, String(index).padStart(4, '0'), detailed) }
            record = withOthersEdits(NAME, record, now)
            // the same state adds no entry
            expect(withOthersEdits(NAME, record, { ...record })).toEqual(record)
          }
          const told = othersEdits(record.history)
          expect(replacedHere(record.history)).toEqual([])
          for (const { field, before, after } of told) {
            expect([before, after].map((value) => String(value ?? '').trim())).toHaveProperty('length', 2)
            expect(String(before ?? '').trim()).not.toBe(String(after ?? '').trim())
            expect(String(after ?? '').trim()).not.toBe(String(Reflect.get(mine, field) ?? '').trim())
          }
          for (const field of Object.keys(mine))
            expect(told.filter((each) => each.field === field).length).toBeLessThanOrEqual(HISTORY_MAX)
        },
      ),
    )
  })

  test('whatever differs of a whole state is told, newest first', () => {
    fc.assert(
      fc.property(content, content, (was, is) => {
        const before: Held = { changes: [], server: state(was, '1', true) }
        const after = withOthersEdits(NAME, before, { ...before, server: state(is, '2', true) })
        const plain = (value: unknown) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
          return text === 'null' ? '' : text.replaceAll('\r\n', '\n').trim()
        }
        const differing = Object.keys(was).filter(
          (field) => plain(Reflect.get(was, field)) !== plain(Reflect.get(is, field)),
        )
        expect(
          othersEdits(after.history)
            .map(({ field }) => field)
            .toSorted(),
        ).toEqual(differing.toSorted())
        expect(currentEdits(after.history, after.server ?? {})).toHaveLength(differing.length)
      }),
    )
  })

  test.each(['noteLocationAreas', 'safetyMeasures', 'requests'])('%s: others cannot edit it', (name) => {
    const before = { changes: [], server: state({ note: 'a' }, '1', true) }
    expect(
      withOthersEdits(name, before, { ...before, server: state({ note: 'b' }, '2', true) }),
    ).not.toHaveProperty('history')
  })

  test('a report whose exit another has registered was not changed', () => {
    const before: Held = {
      changes: [],
      server: state({ inTime: 'x', outTime: null, type: null, reportContent: null }, '1', true),
    }
    const after = {
      ...before,
      server: state({ inTime: 'x', outTime: 'y', type: '1', reportContent: 'z' }, '2', true),
    }
    expect(withOthersEdits('quickReports', before, after).history).toBeUndefined()
  })

  test('an entry that cannot be read is left out', () => {
    const history = [
      { field: 'type', value: ['{', '1'], stamp: '1!' },
      { field: 'type', value: 'x', stamp: '1!' },
    ]
    expect(othersEdits(history)).toEqual([])
  })
})
