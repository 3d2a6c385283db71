/** `npm run bundle -- FILE`: a support file as a timeline (docs/support.md). Ends with 1 where it cannot be read. */
import { open } from 'node:fs/promises'
import 'temporal-polyfill/global'
import { READ_MAX, readSupportFile } from './read.ts'
import { timelineOf } from './timeline.ts'

/** No more than is looked at, whatever the file is. */
async function bytesOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(READ_MAX + 1), 0, READ_MAX + 1, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function main([path]: readonly string[]): Promise<number> {
  if (path === undefined) {
    console.error('使い方：npm run bundle -- 支援ファイル')
    return 1
  }
  const bytes = await bytesOf(path).catch((error: unknown) => {
    console.error(`${path} を開けません：${error instanceof Error ? error.message : String(error)}`)
    return null
  })
  if (!bytes) return 1
  const read = readSupportFile(bytes)
  if (read.kind === 'wrong') {
    console.error(read.problem)
    return 1
  }
  console.log(timelineOf(read.file).join('\n'))
  return 0
}

process.exitCode = await main(process.argv.slice(2))
