/** Change requests (変更依頼) for screens: the content of the CRM with the local changes applied (`shownChanges`). */
import { map, of, switchMap, type Observable } from 'rxjs'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import { namedIds } from '#schemas/collections/prefetch.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector, isKeyAmbiguous } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox } from '#data/outbox/outbox.ts'
import { shownParts } from './records-of-request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useItsRequest } from '#data/visits/use-visits.ts'
import { useDayOpened } from '#data/context/use-now.ts'

export type ChangeCollection = 'customerLocationChangeRequests' | 'locationContactChangeRequests'
type Change<C extends ChangeCollection> = RecordViews[C]['changes'][number]
type Fields<C extends ChangeCollection> = Change<C>['fields']

export type ChangeRequest<C extends ChangeCollection> = ReturnType<typeof shown<C>>

function shown<C extends ChangeCollection>(resource: C, record: RecordViews[C], outbox: Outbox) {
  const { facts, server, shownContent, unsentContent } = shownParts(resource, record, outbox)
  return {
    ...facts,
    record,
    content: (shownContent ?? server ?? null) as Fields<C> | null,
    /** The latest unsent content, with which a form opens (内容を開く). */
    unsentContent: unsentContent as Fields<C> | undefined,
    /** True if `content` is from a change on this device, which `record.server` does not contain yet. */
    isUnread: shownContent !== undefined,
  }
}

const changeRequests$ = <C extends ChangeCollection>(db: Database, resource: C, selector: object) =>
  viewsWithOutbox$(db, resource, selector).pipe(
    map(([records, outbox]) => records.map((record) => shown(resource, record, outbox))),
  )

interface ShownChangeRequest<C extends ChangeCollection> {
  change: ChangeRequest<C>
  request: RequestRecord | null
}

/** Emits the change request with this CRM id or local key; null if the device has none with content. */
export function changeRequest$<C extends ChangeCollection>(
  db: Database,
  resource: C,
  id: string,
  today: string,
): Observable<ShownChangeRequest<C> | null> {
  return changeRequests$(db, resource, idOrKeySelector(id)).pipe(
    switchMap((changes) => {
      const records = changes.map(({ record }) => record)
      const isReferenced$ = isKeyAmbiguous(records, id) ? isReferencedByRequest$(db, resource, id) : of(false)
      return isReferenced$.pipe(
        map((isReferenced) => {
          const match = findByIdOrKey<RecordViews[ChangeCollection]>(records, id, isReferenced)
          return changes.find(({ record }) => record === match)
        }),
      )
    }),
    switchMap((change) => {
      if (!change?.content) return of(null)
      const selector = { id: change.record.requestId }
      return db.requests.find({ selector, sort: [{ workingDate: 'asc' }] }).$.pipe(
        map((docs) => {
          // The first working day from today on; if all are past, the last (crm-contract 4).
          const day = docs.find(({ workingDate }) => workingDate >= today) ?? docs.at(-1)
          return { change, request: day ? (day.toJSON() as RequestRecord) : null }
        }),
      )
    }),
  )
}

/** A request that refers to a change request with this id shows that it is a CRM id. Without an index, all are read. */
const isReferencedByRequest$ = (db: Database, resource: ChangeCollection, id: string): Observable<boolean> =>
  db.requests
    .find()
    .$.pipe(map((docs) => docs.some((doc) => namedIds[resource](doc.toJSON() as RequestRecord).includes(id))))

type ChangeSubject = 'customerLocation' | ContactTypeCode

/** Returns status and id of the change request, which the CRM lists in the row of the changed request. */
function registrationOf(request: RequestRecord, subject: ChangeSubject) {
  if (subject === 'customerLocation')
    return { status: request.customerLocationChangeStatus, id: request.customerLocationChangeRequestId }
  return subject === ContactType.code.entry
    ? { status: request.inLocationContactChangeStatus, id: request.inLocationContactChangeRequestId }
    : { status: request.outLocationContactChangeStatus, id: request.outLocationContactChangeRequestId }
}

/** False if the subject is a contact that the request lacks. The CRM refuses to change such a contact (ec00026). */
function hasSubject(request: RequestRecord, subject: ChangeSubject): boolean {
  const { entry, exit } = ContactType.code
  if (subject === entry) return request.inLocationContact !== null
  return subject !== exit || request.outLocationContact !== null
}

/**
 * Returns whether a change request is registered (`RegistrationStatus`), its id and its send state. What this device
 * knows counts until a newer read of the request says otherwise.
 */
export function registration<C extends ChangeCollection>(
  request: RequestRecord,
  subject: ChangeSubject,
  change: ChangeRequest<C> | undefined,
): { status: string | null; id: string | null; unsent: SendState | undefined } {
  const crmStatus = registrationOf(request, subject)
  const unsent = change?.unsent ?? undefined
  const { unregistered, registered, notAllowed } = RegistrationStatus.code
  const isNewer =
    change?.isUnread === true ||
    unsent !== undefined ||
    (change?.record.server?.stamp ?? '') > request.readStamp
  if (change?.content && isNewer) return { status: registered, id: change.id, unsent }
  const isNotAllowed = crmStatus.status === unregistered && !hasSubject(request, subject)
  return { ...crmStatus, status: isNotAllowed ? notAllowed : crmStatus.status, unsent }
}

/**
 * Returns a change request by its id, and fetches it and its request. Both appear together, so that the request's
 * summary does not move the form later. Once shown, a form is not hidden again.
 */
export function useChangeRequest<C extends ChangeCollection>(resource: C, id: string) {
  const today = useDayOpened(id)
  const shown = useLiveQuery(`${resource} ${id} ${today}`, (db) => changeRequest$(db, resource, id, today))
  const fetched = useFetchedRecord(resource, id, shown)
  const record = shown ? { requestId: shown.change.record.requestId, workingDate: '' } : null
  const isWaiting = useItsRequest(record, shown?.request !== null)
  return isWaiting ? 'loading' : fetched
}

/** Returns the change requests of a request by their keys; undefined until they are read. */
export const useChangeRequestsOf = <C extends ChangeCollection>(resource: C, requestId: string) =>
  useLiveQuery(`${resource} of ${requestId}`, (db) =>
    changeRequests$(db, resource, { requestId }).pipe(
      map((changes) => new Map(changes.map((change) => [change.record.key, change]))),
    ),
  )
