/** The app's own code that runs between two moments, by V8's precise coverage. */
import { Session, type Profiler } from 'node:inspector/promises'

const OWN = /^.*?\/(?=(?:src|sync|schemas)\/.*\.tsx?$)/

/** The files of the product with the functions that ran in each; functions without a name are one by file. */
const ran = (scripts: readonly Profiler.ScriptCoverage[]) =>
  scripts
    .filter(({ url }) => OWN.test(url) && !url.includes('/src/demo-crm/') && !url.includes('/tests/'))
    .map(({ url, functions }) => ({
      file: url.replace(OWN, ''),
      functions: functions
        .filter(({ functionName, ranges }) => functionName && (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ functions }) => functions.length > 0)
    .toSorted((a, b) => a.file.localeCompare(b.file))

/** `TRACE=1` prints the files and functions when the trace ends. */
export async function traceOwnCode() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** What follows counts. */
    begin: async () => void (await session.post('Profiler.takePreciseCoverage')),
    /** What ran since `begin`. */
    async end() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      session.disconnect()
      const files = ran(result)
      const functions = files.flatMap((each) => each.functions)
      if (process.env['TRACE'])
        console.log(
          files.map((each) => `${each.file}: ${each.functions.join(', ')}`).join('\n'),
          `\n${files.length} files, ${functions.length} functions`,
        )
      return { files: files.map(({ file }) => file), functions }
    },
  }
}
