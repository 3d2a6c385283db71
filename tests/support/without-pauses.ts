/** What the pull does in slices, in one go. */
import { atOnce } from '#sync/lib/slices.ts'
import type { ParsedRows } from '#sync/wire/declared.ts'
import { parseListInSlices } from '#sync/pull/records/record-reads.ts'
import { changedRecordsInSlices, parseRequestPageInSlices } from '#sync/pull/requests/search.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/merge-rows.ts'
import type { PullResource, RecordList } from '#sync/resources/resource.ts'

export const parseRows = <R extends LocalRecord>(
  resource: PullResource<R>,
  raws: readonly unknown[],
  list: RecordList,
): ParsedRows<PulledRow<R>> => atOnce(parseListInSlices(resource, raws, list))

export const parseRequestPage = (body: unknown) => atOnce(parseRequestPageInSlices(body))

export const changedRecords = (...page: Parameters<typeof changedRecordsInSlices>) =>
  atOnce(changedRecordsInSlices(...page))
