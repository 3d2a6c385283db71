/**
 * What was measured; where it could not be, that is said, the bench fails in the end, and the other rows are measured all the same.
 * @param what the rows that are missing then
 */
export async function orSaid(what, work) {
  try {
    return await work()
  } catch (error) {
    console.log(`NOT MEASURED: ${what}: ${error.stack ?? error}`)
    process.exitCode = 1
    return []
  }
}
