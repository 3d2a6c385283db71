/**
 * How records with `list: 'of-request'` are sent and read. A request has a list of any number of them, and
 * everything follows from the declaration (crm-contract 4).
 *
 *     POST {path}/   PUT, GET {path}/{id}   GET {path}/request/{request's id}: the whole list
 *
 * If the response to a create was lost, the record is found again in the list.
 */
import type { PushableRecord } from '#schemas/change.ts'
import type { Declaration, RecordOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { isOurs } from '../wire/declared.ts'
import { createAndEdit } from './create-and-edit.ts'
import { declaredRow } from './declared-pull.ts'
import { requestIdIn, type PullResource } from './pull-resource.ts'
import type { PushResource } from './push-resource.ts'
import { findOurs } from './read-back.ts'

/** A declaration without own fields beside its content. */
interface OfRequest extends Declaration {
  list: 'of-request'
  owner: 'requestId'
  own: Record<never, string>
}

const listPath = ({ path }: Declaration, requestId: string) =>
  `${path}/request/${encodeURIComponent(requestId)}`

/** Creates the push rules. */
export function pushOfRequest<D extends OfRequest>(
  declaration: D,
): PushResource<RecordOf<D> & PushableRecord> {
  const wire = wireOf(declaration)
  return createAndEdit(declaration, (record, fields, read) => {
    const path = listPath(declaration, record.requestId)
    const list = { path, query: { loginUserId: read.loginUserId }, paged: false }
    return findOurs(read, list, wire, (row) => isOurs(declaration, record, fields, row))
  })
}

/** Creates the pull rules. */
export const pullOfRequest = (declaration: OfRequest): PullResource<RecordOf<OfRequest>> => ({
  source: {
    kind: 'list',
    calls: ({ owner }, loginUserId) => [
      { path: listPath(declaration, owner), query: { loginUserId }, paging: null },
    ],
  },
  owners: ({ id }) => [id],
  lifetime: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path: declaration.path, ownerIn: requestIdIn },
  row: declaredRow<OfRequest>(
    declaration,
    ({ id: key, workingDate }, { owner: requestId }) => ({
      blank: { key, requestId, workingDate: workingDate ?? '' },
      said: (local) => ({ workingDate: workingDate ?? local?.workingDate ?? '' }),
    }),
    { isFound: true },
  ),
})
