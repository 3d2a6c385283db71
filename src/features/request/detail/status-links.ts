/** The four status links of 依頼詳細 (spec 2). 未登録 links to the add form, 登録済 to the record; 登録不可 has no link. */
import type { SendState } from '#schemas/changes/change-queue.ts'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import { contactChangeKey } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { registration, type ChangeCollection, type ChangeRequest } from '#data/resources/change-requests.ts'
import { isOffered, type FormSlug } from '#data/changes/offline-policy.ts'
import { notesPath } from '#features/request-form/notes-path.ts'
import type { RequestNotes } from '#data/resources/note-location-area-count.ts'

export interface StatusTarget {
  status: 'todo' | 'done' | 'barred'
  /** Null if the status has no link. */
  path: string | null
  /** Set if the link is missing because adding requires a connection. */
  closed?: true
  /** Send state of an unsent change; undefined if everything is sent. */
  unsent?: SendState | undefined
}

interface KnownChanges {
  customerLocation?: ReadonlyMap<string, ChangeRequest<'customerLocationChangeRequests'>> | undefined
  contacts?: ReadonlyMap<string, ChangeRequest<'locationContactChangeRequests'>> | undefined
  notes?: RequestNotes | undefined
}

/** Returns the link for a registration status. @param offered false if the form requires a connection */
function target(status: string | null, add: string, view: string | null, offered: boolean): StatusTarget {
  switch (status) {
    case RegistrationStatus.code.unregistered:
      return offered ? { status: 'todo', path: add } : { status: 'todo', path: null, closed: true }
    case RegistrationStatus.code.registered:
      return { status: 'done', path: view }
    default:
      return { status: 'barred', path: null }
  }
}

/** Returns the four links. @param known registrations on the device, which may be newer than the statuses in `request` */
export function statusLinks(request: RequestRecord, online: boolean, known: KnownChanges = {}) {
  const id = encodeURIComponent(request.id)
  const { entry, exit } = ContactType.code
  const changeTarget = <C extends ChangeCollection>(
    slug: FormSlug,
    subject: Parameters<typeof registration>[1],
    change: ChangeRequest<C> | undefined,
    end = '',
  ): StatusTarget => {
    const { status, id: changeId, unsent } = registration(request, subject, change)
    const view = changeId === null ? null : `/${slug}/${encodeURIComponent(changeId)}${end}`
    return { ...target(status, `/${slug}/add/${id}${end}`, view, isOffered(slug, 'add', online)), unsent }
  }
  const contact = (code: typeof entry | typeof exit, end: string) => {
    const change = known.contacts?.get(contactChangeKey(request.id, code))
    return changeTarget('locationContactChangeRequest', code, change, end)
  }
  const customerLocation = known.customerLocation?.get(request.id)
  return {
    customerLocation: changeTarget('customerLocationChangeRequest', 'customerLocation', customerLocation),
    inContact: contact(entry, '/type1'),
    outContact: contact(exit, '/type2'),
    note: {
      ...target(
        known.notes ? known.notes.status : request.noteLocationAreaStatus,
        `/noteLocationArea/add/${id}`,
        notesPath(request),
        isOffered('noteLocationArea', 'add', online),
      ),
      unsent: known.notes?.unsent ?? undefined,
    },
  }
}
