/**
 * How much of the app a save passes through: the files and functions of our own that run from `saveReport` until its call
 * has reached the CRM. `TRACE=1` names them.
 */
import { Session, type Profiler } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { until } from '../../support/device.ts'
import { enter, leave, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()

const OWN = /^.*?\/(?=(?:src|sync|schemas)\/.*\.tsx?$)/

/** The files of the product with the functions that ran in each; functions without a name are one by file. */
const ran = (scripts: readonly Profiler.ScriptCoverage[]) =>
  scripts
    .filter(({ url }) => OWN.test(url) && !url.includes('/src/demo-crm/'))
    .map(({ url, functions }) => ({
      file: url.replace(OWN, ''),
      functions: functions
        .filter(({ functionName, ranges }) => functionName && (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ functions }) => functions.length > 0)
    .toSorted((a, b) => a.file.localeCompare(b.file))

test('[SV1] an exit passes through few files and functions on its way to the CRM', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  await app.quiet()
  const before = app.writes().length
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await leave(device, [request])
  await until(() => app.writes().length > before)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const files = ran(result)
  const functions = files.flatMap((each) => each.functions)
  if (process.env['TRACE'])
    console.log(
      files.map((each) => `${each.file}: ${each.functions.join(', ')}`).join('\n'),
      `\n${files.length} files, ${functions.length} functions`,
    )
  expect(functions).toContain('saveReport')
  // 50, and a few more where a timer goes off meanwhile
  expect(files.length).toBeLessThanOrEqual(56)
})
