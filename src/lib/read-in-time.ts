/** The bytes of a file that was picked: it may lie on a drive that never answers, so its reading is given up after a while. */

export const READ_LIMIT_MS = 30_000

/** The file was not read in time. */
export class ReadTooLong extends Error {
  override name = 'ReadTooLong'
}

/** @throws ReadTooLong where it takes longer than `limitMs` */
export const readInTime = (file: Blob, limitMs = READ_LIMIT_MS): Promise<ArrayBuffer> =>
  inTime(file.arrayBuffer(), limitMs)

/** @throws ReadTooLong where it takes longer than `limitMs` */
export async function inTime<T>(reading: Promise<T>, limitMs = READ_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ReadTooLong('photo: not read in time')), limitMs)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}
