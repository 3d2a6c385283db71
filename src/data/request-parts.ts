/** A row of the list as it is kept between two starts, beside the others of its day (`kept-parts.ts`). */
import { prefetchedBy, prefetchKey } from '#schemas/prefetch-keys.ts'
import { visitKey } from '#schemas/visit-key.ts'
import type { PartCodec, Value } from './kept-parts.ts'
import { keptRow, type ListedRequest, type RowValues } from './request-row.ts'

/** What each row says alone, and what the others say as well, is kept apart: texts of the latter are written once. */
type Kept = [
  key: string | null,
  /** What stands in it between day and id, or all of it. */
  sortKey: string | [whole: string],
  needs: readonly [collection: string, owner: string][] | null,
  quickReport: readonly (string | null)[] | null,
  devices: readonly string[],
  values: RowValues,
]

/** @param same one string for each text */
export function requestParts(same: (text: string) => string): PartCodec<ListedRequest> {
  const { toValues, ofValues } = keptRow(same)
  return {
    keyOf: ({ key }) => key,
    sortKeyOf: ({ sortKey }) => sortKey,
    groupOf: ({ workingDate }) => workingDate,
    toValues(row) {
      const { key, id, workingDate, needs, quickReport, devices } = row
      const kept: Kept = [
        key === visitKey(id, workingDate) ? null : key,
        shortened(row),
        needs?.map(prefetchedBy) ?? null,
        quickReport && REPORT.map((name) => quickReport[name]),
        devices,
        toValues({ ...row, sortKey: '', needs: null, quickReport: null }),
      ]
      // of the values only those that are null here are no texts or flags
      return kept as readonly Value[]
    },
    ofValues(values) {
      // what was kept is what went, or it is not read (its digest)
      const [key, sortKey, needs, report, devices, rest] = values as Kept
      const [workingDate, , id] = rest
      const row = ofValues(key ?? visitKey(id, workingDate), rest)
      return {
        ...row,
        sortKey: typeof sortKey === 'string' ? `${workingDate} ${sortKey} ${id}` : sortKey[0],
        needs: needs?.map((need) => same(prefetchKey(...need))) ?? null,
        quickReport: report && reportOf(report),
        devices: devices.map(same),
      }
    },
  }
}

type Report = NonNullable<ListedRequest['quickReport']>

const FIELDS: Record<keyof Report, true> = {
  id: true,
  inTime: true,
  outTime: true,
  type: true,
  editStatus: true,
}
const REPORT = Object.keys(FIELDS) as (keyof Report)[]

const reportOf = (values: readonly (string | null)[]) =>
  Object.fromEntries(REPORT.map((name, at) => [name, values[at] ?? null])) as object as Report

/** It is made of day, start and id (sync/wire/request.ts), which other rows or fields have as well. */
function shortened({ sortKey, workingDate, id }: ListedRequest): Kept[1] {
  const [start, end] = [`${workingDate} `, ` ${id}`]
  const isMade =
    sortKey.length >= start.length + end.length && sortKey.startsWith(start) && sortKey.endsWith(end)
  return isMade ? sortKey.slice(start.length, -end.length) : [sortKey]
}
