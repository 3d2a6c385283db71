/** The rules of 入館・駐車場情報変更依頼 (spec 2, 5). */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { registration, type ChangeRequest } from '#data/change-requests.ts'

export type LocationChange = ChangeRequest<'customerLocationChangeRequests'>

/** Why none can be registered for the request, as the message says it: there is one, or there may be none. */
export const addBar = (request: RequestRecord, change: LocationChange | undefined): 'ec00030' | null =>
  registration(request, 'customerLocation', change).status === RegistrationStatus.code.unregistered
    ? null
    : 'ec00030'
