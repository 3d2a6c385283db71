/**
 * How much of the app a save passes through until its call is at the CRM, and a row of the CRM from its answer until the
 * list has it: the files and functions of our own that run meanwhile. `TRACE=1` names them.
 */
import { filter, firstValueFrom, shareReplay } from 'rxjs'
import { expect, test } from 'vitest'
import { viewOf } from '#data/changes/record-views.ts'
import { visitsOfDays$ } from '#data/visits/visits.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { openChanges } from '#sync/changes/change-store.ts'
import { until } from '../../support/device.ts'
import { COMPLETED, enter, nth, TODAY, todayScene } from '../../support/replication.ts'
import { traceOwnCode } from '../../support/own-code.ts'

const app = todayScene()

/** Calls `act` for each call of the phone that arrives at the CRM, and once more with its answer. */
function atCrm(act: (path: string, answer?: Response) => Promise<unknown>): void {
  const { fetch } = app.crm
  app.crm.fetch = async (request) => {
    const path = `${request.method} ${new URL(request.url).pathname.split('/spa/')[1] ?? ''}`
    await act(path)
    const answer = await fetch(request)
    await act(path, answer)
    return answer
  }
}

test('[SV1] an exit passes through few files and functions on its way to the CRM', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  // `app.sent` would subscribe the badge, and the path would have what the screen does beside it.
  await until(async () => (await openChanges(device.db)).length === 0)
  await app.quiet()
  const record = await viewOf(device.db, 'quickReports', request.key)
  const trace = await traceOwnCode()
  const arrived = new Promise<Awaited<ReturnType<typeof trace.end>>>((resolve) =>
    atCrm(async (path, answer) => {
      if (path.startsWith('PUT') && !answer) resolve(await trace.end())
    }),
  )
  await trace.begin()
  await saveReport(device.saver(), record ? [record] : [], 'exit', COMPLETED)
  const { files, functions } = await arrived
  expect(functions).toContain('saveReport')
  expect(files.length).toBeLessThanOrEqual(SAVE.files)
  expect(functions.length).toBeLessThanOrEqual(SAVE.functions)
})

test('[PL1] a row of the CRM passes through few files and functions on its way to the list', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  const list$ = visitsOfDays$(device.db, { from: TODAY, to: '2026-11-21' }).pipe(shareReplay(1))
  const watching = list$.subscribe()
  await app.quiet()
  const before = (await firstValueFrom(list$)).rows.length
  const trace = await traceOwnCode()
  atCrm(async (path, answer) => {
    if (answer && path.endsWith('request/search')) await trace.begin()
  })
  app.daysAhead = 1
  const more = firstValueFrom(list$.pipe(filter(({ rows }) => rows.length > before)))
  device.visible$.next(false)
  device.visible$.next(true)
  await more
  const { files, functions } = await trace.end()
  watching.unsubscribe()
  expect(functions).toContain('toRequestRecord')
  expect(files.length).toBeLessThanOrEqual(ROW.files)
  expect(functions.length).toBeLessThanOrEqual(ROW.functions)
})

/** As counted, and a few more for a timer that goes off meanwhile. */
const SAVE = { files: 50, functions: 272 }
const ROW = { files: 57, functions: 292 }
