import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueueItem, QueueWait } from '#schemas/changes/change-queue.ts'
import { FILES_REFUSED_TEXT, rawReasons, refusalText } from '#messages/reason-text.ts'

export const PHOTOS_WAIT = {
  record: msg`写真は、この登録が送信されてから送信します。`,
  signal: msg`写真は、電波が戻ると送信します。`,
  login: msg`写真は、再ログインすると送信します。`,
  access: FILES_REFUSED_TEXT,
  store: msg`写真の保存先が応答していません。応答があれば自動で送信します。`,
}

/** Why nothing is being sent although the device is online (sync RULES ST3). */
export const QUEUE_WAIT: Record<QueueWait, MessageDescriptor> = {
  silent: msg`CRMが応答していません。応答があれば自動で送信します。`,
  busy: msg`CRMが混み合っています（429）。しばらくすると自動で送信します。`,
  unavailable: msg`CRMは一時的に利用できません（503）。再開すると自動で送信します。`,
  paused: msg`CRMが理由を示さずに受け付けないため、送信を止めています。自動で確かめながら再開します。`,
}

const WAITS_FOR_EARLIER = msg`先に保存した登録が送信されるまで待ちます。`
/** A colleague's registration came first. The user confirms before the app changes the colleague's record (RULES OR3). */
const WAITS_BESIDE_THEIRS = msg`CRMには別の登録があります。内容を開いて保存し直すと、その登録に送信します。`
const EXPIRED = msg`保存してから24時間以内に送信できませんでした。内容を確認して、再送するか破棄してください。`

/** Returns why a change cannot be sent yet, one reason per line; undefined if there is none. */
export function jobReason(i18n: I18n, { record, state, progress, blockedBy, change }: QueueItem) {
  // A record without a CRM id is still to be created by this user. With an id, a colleague has created it.
  if (blockedBy) return i18n._(record.serverId === '' ? WAITS_FOR_EARLIER : WAITS_BESIDE_THEIRS)
  const reasons = progress?.reasons ?? []
  if (state !== 'failed' && state !== 'expired') return undefined
  if (reasons.length === 0 && state === 'expired') return i18n._(EXPIRED)
  return refusalText(i18n, { reasons, status: progress?.status ?? 0, kind: change.kind })
}

/** Returns the CRM's own texts about a refused change; empty if the CRM sent none. */
export const jobRaw = ({ state, progress }: QueueItem): string[] =>
  state === 'failed' && progress ? rawReasons(progress) : []
