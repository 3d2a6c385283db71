/** Reads the rows of a list: whole lists, or records one by one (`PullResource.source`). */
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import { oneRow, readPages, type PagesRead } from '#sync/scheduler/read-pages.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { ListSource, RecordList } from '#sync/resources/pull-resource.ts'
import type { PullApi, Reader } from '#sync/scheduler/api.ts'

export interface Rows {
  kind: 'rows'
  rows: unknown[]
  complete: boolean
  skippedIds: string[]
}

interface Parts {
  api: PullApi
  gate: PullGate
  source: ListSource
  loginUserId: string
  report: (problem: string) => void
  /** The records of an owner that this device has sent and not read back yet. */
  unreadOf: (owner: string) => Promise<LocalRecord[]>
}

export function createListReader({ api, gate, source, loginUserId, report, unreadOf }: Parts) {
  async function readRows(
    list: RecordList,
    options: ReadOptions,
  ): Promise<Rows | { kind: 'refused'; status: number }> {
    if (source.kind === 'named') return readNamed(list, source, options)
    const reader: Reader = { read: (path, query) => api.read(path, query, options) }
    const all: Rows = { kind: 'rows', rows: [], complete: true, skippedIds: [] }
    for (const { path, query, paging } of source.calls(list, loginUserId)) {
      const read = interpreted(await readPages(reader, path, query, paging), source.isEmptyAt404 === true)
      if (read.kind === 'refused') return read
      // Not a list, so no record counts as missing.
      if (read.nonListStatus !== undefined) return { kind: 'refused', status: read.nonListStatus }
      all.rows.push(...read.rows)
      all.complete &&= read.complete
      if (read.endless) report(`${path}: pages without an end`)
    }
    return all
  }

  /** Reads records by id: those that the request names, and those that were sent and not read back yet. */
  async function readNamed(
    list: RecordList,
    { path, ids }: Extract<typeof source, { kind: 'named' }>,
    options: ReadOptions,
  ) {
    const unread = await unreadOf(list.owner)
    const allIds = [...new Set([...ids(list), ...unread.map(({ serverId = '' }) => serverId)])]
    const all: Rows = { kind: 'rows', rows: [], complete: true, skippedIds: [] }
    const reads = allIds.map(async (id) => {
      const outcome = await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId }, options)
      const read = interpreted(oneRow(outcome), true)
      if (read.kind === 'rows') all.rows.push(...read.rows)
      else all.skippedIds.push(id)
    })
    await Promise.all(reads)
    return all
  }

  /**
   * Interprets the result of a read.
   * @param isEmptyIfMissing true if 404 means that there is none (for a list, only if the contract says so)
   * @throws PullAgain if the CRM could not be read
   */
  function interpreted(
    read: PagesRead,
    isEmptyIfMissing: boolean,
  ): Extract<PagesRead, { kind: 'rows' }> | { kind: 'refused'; status: number } {
    if (read.kind === 'rows') {
      gate.succeeded()
      return read
    }
    const { kind, status } = readable(gate, read.outcome)
    if (kind === 'missing' && isEmptyIfMissing) return { kind: 'rows', rows: [], complete: true }
    return { kind: 'refused', status }
  }

  return { readRows, interpreted }
}
