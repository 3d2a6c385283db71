/** Explains to the user why the CRM refused a change, and what to do. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { bareMessages, isMessageKey, messages, messageText, type MessageKey } from './messages.ts'

/** Shown if the file store refuses the photos' token (401) although the user is logged in. */
export const FILES_REFUSED_TEXT = msg`ファイル保管が認証を受け付けていません（401）。アプリの管理者に知らせてください。受け付けられると、写真は自動で送信します。`
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/** The text for a reason: a message key or a text (crm-contract 3). Without values, without placeholders. */
export function reasonText(i18n: I18n, reason: string, values: Record<string, string> = {}): string {
  if (!isMessageKey(reason)) return reason
  const bare = bareMessages[reason]
  return bare && Object.keys(values).length === 0 ? i18n._(bare) : messageText(i18n, reason, values)
}

/** The CRM's default error texts (spec 8), in lower case without a full stop → text for the user. */
const DEFAULT_TEXTS: Partial<Record<string, MessageDescriptor>> = {
  'rate limit exceeded': msg`CRMが混み合っています。`,
  'service unavailable temporarily': msg`CRMは一時的に利用できません。`,
  unauthorized: messages.unauthorized,
  forbidden: msg`この操作はCRMで許可されていません。`,
  'not found': messages.ec00002,
  'already in use': msg`CRMでほかの登録と重なりました。`,
  conflict: msg`CRMでほかの登録と重なりました。`,
  'not implemented': msg`CRMがこの操作に対応していません。`,
}

function foreignText(i18n: I18n, reason: string, status: number): string {
  const known = DEFAULT_TEXTS[reason.trim().toLowerCase().replace(/\.$/, '')]
  if (known) return i18n._(known)
  const code = /^ec\d{5}$/.test(reason) ? reason : String(status)
  return i18n._(msg`CRMが受け付けませんでした（コード ${code}）。`)
}

const causeText = (i18n: I18n, reason: string, status: number): string =>
  isMessageKey(reason) || JAPANESE.test(reason) ? reasonText(i18n, reason) : foreignText(i18n, reason, status)

/** Status and reasons exactly as the CRM gave them, for support. Each text is cut to RAW_MAX characters. */
export const rawReasons = ({ reasons, status }: { reasons: readonly string[]; status: number }): string[] =>
  reasons.length === 0 && status === 0
    ? []
    : [String(status), ...reasons].filter((text) => text !== '0').map((text) => text.slice(0, RAW_MAX))

const RAW_MAX = 500
const CORRECT = msg`「内容を開く」から直して、保存し直してください。`
const PHOTO = msg`別の写真を選び直してください。`
const AGAIN = msg`時間をおいて「再送」してください。続くときは担当者にお問い合わせください。`
const ASK = msg`担当者にお問い合わせください。`
const DROP = msg`CRMの内容を確認し、不要なら「破棄」してください。`
const LOOK = msg`内容を確認して直すか、担当者にお問い合わせください。`

/** Advice for the user by reason; null if the reason's text itself is advice. Other reasons get the advice `LOOK`. */
const STEPS: Partial<Record<MessageKey, MessageDescriptor | null>> = {
  ec00001: CORRECT,
  ec00002: ASK,
  ec00003: CORRECT,
  ec00004: CORRECT,
  ec00008: ASK,
  ec00010: ASK,
  ec00011: DROP,
  ec00012: ASK,
  ec00013: ASK,
  ec00015: null,
  ec00016: PHOTO,
  ec00017: AGAIN,
  ec00020: null,
  ec00021: null,
  ec00024: CORRECT,
  ec00025: CORRECT,
  ec00026: ASK,
  ec00027: DROP,
  ec00029: null,
  ec00030: ASK,
  notSafetyError: DROP,
  invalidField: CORRECT,
  kana: CORRECT,
  checkAll: CORRECT,
  unauthorized: AGAIN,
  otherUser: msg`保存した人がログインして「再送」してください。`,
}

const stepOf = (reason: string): MessageDescriptor | null => {
  const step = isMessageKey(reason) ? STEPS[reason] : LOOK
  return step === undefined ? LOOK : step
}

function withoutReason(i18n: I18n, status: number): string[] {
  const system = reasonText(i18n, 'systemError')
  if (status === 404) return [reasonText(i18n, 'ec00002'), i18n._(ASK)]
  if (status === 403)
    return [system, i18n._(msg`この操作はCRMで許可されていません（${status}）。`), i18n._(ASK)]
  if (status === 401) return [i18n._(messages.unauthorized), i18n._(AGAIN)]
  if (status === 429) return [i18n._(msg`CRMが混み合っています（${status}）。`), i18n._(AGAIN)]
  if (status === 503) return [i18n._(msg`CRMは一時的に利用できません（${status}）。`), i18n._(AGAIN)]
  if (status === 409) return [system, i18n._(msg`CRMでほかの登録と重なりました（${status}）。`), i18n._(DROP)]
  if (status >= 500) return [system, i18n._(msg`CRMでエラーが起きています（${status}）。`), i18n._(AGAIN)]
  if (status >= 400)
    return [system, i18n._(msg`CRMが理由を示さずに受け付けませんでした（${status}）。`), i18n._(AGAIN)]
  return [system, i18n._(AGAIN)]
}

/** Lines for an entry refused with ec00011: the CRM already has an entry, and perhaps an exit (crm-contract 4). */
const ENTRY_EXISTS = [
  msg`この依頼の入館はすでに登録されています。`,
  msg`待っている退館報告があるときは、先にその「内容を開く」から保存し直してください。`,
  msg`この入館登録は、不要なら「破棄」してください。`,
]

/** Lines for an exit refused with ec00013: the CRM does not have the entry that belongs to the exit. */
const ENTRY_IS_MISSING = [
  msg`この依頼の入館がCRMに登録されていません。`,
  msg`入館登録が送信されてから「再送」してください。`,
]

const OF_KIND: Partial<Record<string, Partial<Record<string, readonly MessageDescriptor[]>>>> = {
  entry: { ec00011: ENTRY_EXISTS },
  exit: { ec00013: ENTRY_IS_MISSING },
}

/** Causes of a refusal and advice, one line each. */
export function refusalText(
  i18n: I18n,
  { reasons, status, kind }: { reasons: readonly string[]; status: number; kind?: string },
): string {
  if (reasons.length === 0) return withoutReason(i18n, status).join('\n')
  const ofKind = reasons.flatMap((reason) => OF_KIND[kind ?? '']?.[reason] ?? [])
  if (ofKind.length > 0) return ofKind.map((line) => i18n._(line)).join('\n')
  const steps = reasons.flatMap((reason) => stepOf(reason) ?? [])
  const lines = [
    ...reasons.map((reason) => causeText(i18n, reason, status)),
    ...steps.map((step) => i18n._(step)),
  ]
  return [...new Set(lines)].join('\n')
}
