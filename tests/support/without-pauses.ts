/** What the pull does in slices, in one go. */
import { atOnce } from '#sync/lib/slices.ts'
import { parseRowsInSlices, type ParsedRows } from '#sync/pull/engine/parse-rows.ts'
import { changedRecordsInSlices, parseRequestPageInSlices } from '#sync/pull/engine/reconcile.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { PullResource, RecordList } from '#sync/resources/pull-resource.ts'

export const parseRows = <R extends LocalRecord>(
  resource: PullResource<R>,
  raws: readonly unknown[],
  list: RecordList,
): ParsedRows<R> => atOnce(parseRowsInSlices(resource, raws, list))

export const parseRequestPage = (body: unknown) => atOnce(parseRequestPageInSlices(body))

export const changedRecords = (...page: Parameters<typeof changedRecordsInSlices>) =>
  atOnce(changedRecordsInSlices(...page))
