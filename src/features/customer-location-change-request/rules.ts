/** Rules of 入館・駐車場情報変更依頼 (spec 2, 5). */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { registration, type ChangeRequest } from '#data/resources/change-requests.ts'

export type LocationChange = ChangeRequest<'customerLocationChangeRequests'>

/**
 * Returns the message key of the reason why no change request can be registered (one exists, or the request forbids
 * it); null if it can.
 */
export const locationChangeBar = (
  request: RequestRecord,
  change: LocationChange | undefined,
): 'ec00030' | null =>
  registration(request, 'customerLocation', change).status === RegistrationStatus.code.unregistered
    ? null
    : 'ec00030'
