/** Every query of a record gives the same view of it: the queue, a list, a form (decisions/records, RULES ST1a). */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { STATE_TABLE } from '#schemas/send-state.ts'
import type { StoredState } from '#schemas/change.ts'
import { pending$, viewOf, views$, viewsByKey$ } from '#data/changes/record-views.ts'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { patchRow, storeView, viewsIn } from '../../support/stored-views.ts'
import { reportOn } from '../../support/visit-records.ts'

const RESOURCE = 'quickReports'
const states = Object.keys(STATE_TABLE) as StoredState[]
const byKey = (records: readonly { key: string }[]) => records.toSorted((a, b) => (a.key < b.key ? -1 : 1))

/** Stores an entry and an exit, of which each is in its state. @param readAt when the document was read; null: there is none */
async function stored(db: Awaited<ReturnType<typeof openTestDatabase>>, readAt: string | null) {
  for (const entry of states)
    for (const exit of states) {
      const id = `${entry}-${exit}-${readAt}`
      const changes = [
        quickReportChange('entry', '08:56', { id: `entry-${id}`, stamp: '2' }),
        quickReportChange('exit', '11:42', { id: `exit-${id}`, stamp: '3' }),
      ]
      const { server } = reportOn(id, { stamp: readAt ?? '' })
      await storeView(db, RESOURCE, { ...quickReportRecord(id, changes), ...(readAt && { server }) })
      const result = { ...server, id: `q-${id}`, stamp: '5' }
      for (const [state, kind] of [
        [entry, 'entry'],
        [exit, 'exit'],
      ] as const)
        await patchRow(db, `${kind}-${id}`, { state, ...(state === 'accepted' && { result }) })
    }
}

test('[ST1a] 送信状況, a list and a form show one and the same record, whatever of it was accepted or is unsent', async () => {
  const db = await openTestDatabase()
  for (const readAt of [null, '1', '9']) await stored(db, readAt)
  const seen = await viewsIn(db, RESOURCE)
  const unsent = seen.filter((record) => record.unsent === 'yes')
  expect(unsent.length).toBeLessThan(seen.length)
  const { records } = await firstValueFrom(pending$(db))
  expect(byKey(records)).toEqual(byKey(unsent).map((record) => ({ resource: RESOURCE, ...record })))
  expect(byKey(await firstValueFrom(views$(db, RESOURCE, {})))).toEqual(byKey(seen))
  const ofKey = await firstValueFrom(viewsByKey$(db, RESOURCE))
  for (const record of seen) {
    expect(ofKey(record.key)).toEqual(record)
    expect(await viewOf(db, RESOURCE, record.key)).toEqual(record)
  }
})
