import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { safetyMeasure$, safetyMeasuresOf$, safetyRows, type SafetyRow } from './safety-measures.ts'

/** All safety types in order, each with the measure of the request's day; undefined until it was read. */
export function useSafetyRows(request: RequestRecord): SafetyRow[] | undefined {
  const { key, id, workingDate } = request
  const measures = useLiveQuery(`safety of ${key}`, (db) => safetyMeasuresOf$(db, id, workingDate))
  return measures && safetyRows(request, measures)
}

/** A measure by CRM id or local key. Requests it if it is not on the device. */
export function useSafetyMeasure(id: string) {
  const found = useLiveQuery(`safety measure ${id}`, (db) => safetyMeasure$(db, id))
  return useFetchedRecord('safetyMeasures', id, found)
}
