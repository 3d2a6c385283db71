/**
 * How new each row was when this page saw it last. What is older than that and on the disk all the same was put back by
 * somebody else (decisions/encryption). A row that is cleared away and made anew begins at a lower revision, but later:
 * only one that is older by its revision and by its time was there before.
 */
import type { Row } from './row-codec.ts'

interface Age {
  height: number
  lwt: number
}

export interface SeenRows {
  /** Rows as they are on the disk now. */
  note(rows: readonly object[]): void
  /** @returns those of the rows that are older than what was noted until now; asked again, the disk may have a newer one */
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

/** RxDB's own fields of a row; both lie in clear and are bound to what is sealed. */
function ageOf(row: object): Age {
  const { _rev, _meta } = row as { _rev?: unknown; _meta?: { lwt?: unknown } }
  return { height: Number.parseInt(String(_rev), 10), lwt: Number(_meta?.lwt) }
}
