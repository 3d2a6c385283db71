/** Reads a picked file with a time limit, because a network drive may never answer. */

export const READ_LIMIT_MS = 30_000

export class ReadTooLong extends Error {
  override name = 'ReadTooLong'
}

/** The browser cannot read the file: it was changed, moved or deleted, or access is denied. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** @throws ReadTooLong after `limitMs`, Unreadable after two failed tries */
export async function readInTime(file: Blob, limitMs = READ_LIMIT_MS): Promise<ArrayBuffer> {
  const read = () => withTimeLimit(file.arrayBuffer(), limitMs)
  try {
    return await read().catch((error: unknown) =>
      error instanceof ReadTooLong ? Promise.reject(error) : read(),
    )
  } catch (error) {
    throw error instanceof ReadTooLong ? error : new Unreadable('photo: not readable', { cause: error })
  }
}

/** @throws ReadTooLong after `limitMs` */
export async function withTimeLimit<T>(reading: Promise<T>, limitMs = READ_LIMIT_MS): Promise<T> {
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
