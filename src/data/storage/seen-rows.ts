/**
 * Remembers the newest version of each row that this page has seen, to detect that someone has put an older
 * one back on disk (decisions/encryption). A row that was deleted and created again has a lower revision but
 * a later time, so only a row that is older in both counts as put back.
 */
import type { Row } from './row-codec.ts'

interface Age {
  height: number
  lwt: number
}

/** The newest versions seen, by row key. */
export interface SeenRows {
  /** Notes rows as they are on disk now. */
  note(rows: readonly object[]): void
  /**
   * Returns the rows that are older than the versions noted. `isOlder` decides again after the row was read
   * anew.
   */
  older(rows: readonly Row[]): { row: Row; isOlder: (now: Row | undefined) => boolean }[]
}

export function seenRows(keyOf: (row: object) => string): SeenRows {
  const seen = new Map<string, Age>()
  const isBefore = (one: Age, other: Age) => one.height < other.height && one.lwt < other.lwt
  return {
    note(rows) {
      for (const row of rows) {
        const key = keyOf(row)
        const last = seen.get(key)
        const age = ageOf(row)
        if (!last || !isBefore(age, last)) seen.set(key, age)
      }
    },
    older(rows) {
      return rows.flatMap((row) => {
        const last = seen.get(keyOf(row))
        if (!last || !isBefore(ageOf(row), last)) return []
        return [{ row, isOlder: (now: Row | undefined) => now !== undefined && isBefore(ageOf(now), last) }]
      })
    },
  }
}

/** RxDB's own fields of a row. Both are plain text and authenticated by the encryption. */
function ageOf(row: object): Age {
  const { _rev, _meta } = row as { _rev?: unknown; _meta?: { lwt?: unknown } }
  return { height: Number.parseInt(String(_rev), 10), lwt: Number(_meta?.lwt) }
}
