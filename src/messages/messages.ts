/**
 * All messages with a key: the CRM's (`ec…`) and the app's own. The CRM's answers contain keys, and the device stores
 * them as keys. The specification gives the keys `ec…`, `notSafetyError`, `saveSuccess` and `systemError` (spec 8), and
 * describes most other messages without a key.
 */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { firstMessages, filledText } from './first-messages.ts'

export const messages = {
  ...firstMessages,
  ec00002: msg({ id: 'ec00002', message: '該当するデータがありません。' }),
  ec00003: msg({ id: 'ec00003', message: '{field}は{n}文字以内で入力してください' }),
  ec00004: msg({ id: 'ec00004', message: '{field}は{type}のみ入力可能です' }),
  ec00007: msg({ id: 'ec00007', message: '編集中の内容は保存されていません。破棄してもよろしいですか？' }),
  ec00008: msg({ id: 'ec00008', message: 'この{subject}は編集できません。' }),
  ec00010: msg({ id: 'ec00010', message: '確認済のため、更新できません。' }),
  ec00011: msg({ id: 'ec00011', message: 'この依頼にはすでに退館報告が登録されています。' }),
  ec00012: msg({ id: 'ec00012', message: '退館報告を更新できるのは作業日から7日以内です。' }),
  ec00013: msg({ id: 'ec00013', message: '退館報告がまだ登録されていません。' }),
  ec00015: msg({
    id: 'ec00015',
    message: '対応していないファイル形式です。png、jpeg、jpgのいずれかを選択してください。',
  }),
  ec00016: msg({ id: 'ec00016', message: 'ファイルサイズは{n}MB以下にしてください。' }),
  ec00017: msg({ id: 'ec00017', message: 'ファイルの保存に失敗しました。' }),
  ec00018: msg({ id: 'ec00018', message: '入館・駐車場情報と入退館連絡先を確認しましたか？' }),
  ec00019: msg({ id: 'ec00019', message: '現場の注意事項を確認しましたか？' }),
  ec00020: msg({ id: 'ec00020', message: '未反映の変更依頼があります。担当者にお問い合わせください。' }),
  ec00021: msg({ id: 'ec00021', message: 'すでに処理されています。担当者にお問い合わせください。' }),
  ec00022: msg({ id: 'ec00022', message: '現在時刻（{time}）で入館登録します。よろしいですか？' }),
  ec00023: msg({ id: 'ec00023', message: '{time}で入館登録します。よろしいですか？' }),
  ec00024: msg({ id: 'ec00024', message: '有効なメールアドレスを入力してください' }),
  ec00025: msg({ id: 'ec00025', message: '有効な電話番号を入力してください' }),
  ec00026: msg({
    id: 'ec00026',
    message:
      '連絡先を登録できません。依頼に連絡先がないか、登録済・登録不可、または未反映の変更依頼があります。',
  }),
  ec00027: msg({ id: 'ec00027', message: 'すでに登録されています。' }),
  ec00028: msg({
    id: 'ec00028',
    message: 'この設備には安全対策（{name}）があります。安全対策は必要ですか？',
  }),
  ec00029: msg({
    id: 'ec00029',
    message: '一緒に登録できない依頼が含まれています。もう一度検索してください。',
  }),
  ec00030: msg({
    id: 'ec00030',
    message: 'すでに登録されているか、未反映の変更依頼があるため、登録できません。',
  }),
  notSafetyError: msg({ id: 'notSafetyError', message: '誤って登録された安全対策は編集できません。' }),
  saveSuccess: msg({ id: 'saveSuccess', message: '正常に保存されました' }),
  savedOffline: msg({
    id: 'savedOffline',
    message: '電波がないため、端末に保存しました。電波が戻ると自動で送信します。',
  }),
  replayed: msg({ id: 'replayed', message: '保存していた内容を送信しました。' }),
  systemError: msg({ id: 'systemError', message: 'システムエラーが発生しました。' }),
  loginFailed: msg({ id: 'loginFailed', message: 'ユーザー名、パスワードが間違っています' }),
  errorLogSent: msg({ id: 'errorLogSent', message: 'エラーレポートを送信しました。' }),
  kana: msg({ id: 'kana', message: '{field}は半角カタカナのみ入力可能です' }),
  unauthorized: msg({ id: 'unauthorized', message: '認証エラーが発生しました。再ログインしてください。' }),
  requiredSentence: msg({ id: 'requiredSentence', message: '{field}は必須項目です。' }),
  maxLengthSentence: msg({ id: 'maxLengthSentence', message: '{field}は最大{n}文字です。' }),
  minLength: msg({ id: 'minLength', message: '{field}は{n}文字以上で入力してください' }),
  mismatch: msg({ id: 'mismatch', message: '{field}が一致しません' }),
  hiragana: msg({ id: 'hiragana', message: '{field}はひらがなのみ入力可能です' }),
  format: msg({ id: 'format', message: '{field}が正しい形式ではありません。' }),
  integer: msg({ id: 'integer', message: '{field}は半角数字と「-」のみ入力できます。' }),
  unsignedDecimal: msg({ id: 'unsignedDecimal', message: '{field}は半角数字と「.」のみ入力できます。' }),
  decimal: msg({ id: 'decimal', message: '{field}は半角数字と「.」と「-」のみ入力できます。' }),
  integerDigits: msg({ id: 'integerDigits', message: '{field}の整数部は{n}桁以内で入力してください' }),
  integerDigitsSentence: msg({ id: 'integerDigitsSentence', message: '{field}の整数部は最大{n}桁です。' }),
  decimalDigits: msg({ id: 'decimalDigits', message: '{field}の小数部は{n}桁以内で入力してください' }),
  decimalDigitsSentence: msg({ id: 'decimalDigitsSentence', message: '{field}の小数部は最大{n}桁です。' }),
  // The following messages are not in the specification.
  checkAll: msg({ id: 'checkAll', message: '{field}をすべて確認してください' }),
  invalidField: msg({ id: 'invalidField', message: '有効な{field}を入力してください' }),
  notEntered: msg({ id: 'notEntered', message: '入館が登録されていないため、退館報告を登録できません。' }),
  otherUser: msg({ id: 'otherUser', message: '別のユーザーが保存した内容のため送信できません。' }),
  loginBusy: msg({
    id: 'loginBusy',
    message: 'ただいまCRMが混み合っています。しばらく待ってから、もう一度お試しください。',
  }),
} satisfies Record<string, MessageDescriptor>

export type MessageKey = keyof typeof messages

/** Texts without placeholders, for a key that the CRM gives as a reason without values (crm-contract 3). */
export const bareMessages: Partial<Record<MessageKey, MessageDescriptor>> = {
  ec00001: msg`必須の項目が入力されていません。`,
  ec00003: msg`文字数の上限を超えている項目があります。`,
  ec00004: msg`入力できない文字が使われている項目があります。`,
  ec00008: msg`この内容は編集できません。`,
  ec00016: msg`ファイルサイズが上限を超えています。`,
  ec00022: msg`現在時刻で入館登録します。よろしいですか？`,
  ec00023: msg`指定した時刻で入館登録します。よろしいですか？`,
  ec00028: msg`この設備には安全対策があります。安全対策は必要ですか？`,
  invalidField: msg`正しくない内容の項目があります。`,
  kana: msg`半角カタカナで入力する項目に、ほかの文字があります。`,
  requiredSentence: msg`必須の項目が入力されていません。`,
  maxLengthSentence: msg`文字数の上限を超えている項目があります。`,
  minLength: msg`文字数が足りない項目があります。`,
  mismatch: msg`一致しない項目があります。`,
  hiragana: msg`ひらがなで入力する項目に、ほかの文字があります。`,
  format: msg`正しい形式ではない項目があります。`,
  integer: msg`数字で入力する項目に、ほかの文字があります。`,
  unsignedDecimal: msg`数字で入力する項目に、ほかの文字があります。`,
  decimal: msg`数字で入力する項目に、ほかの文字があります。`,
  integerDigits: msg`桁数の上限を超えている項目があります。`,
  integerDigitsSentence: msg`桁数の上限を超えている項目があります。`,
  decimalDigits: msg`桁数の上限を超えている項目があります。`,
  decimalDigitsSentence: msg`桁数の上限を超えている項目があります。`,
  checkAll: msg`確認していない項目があります。`,
}

export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(messages, text)

export const messageText = (i18n: I18n, key: MessageKey, values?: Record<string, string | number>): string =>
  filledText(i18n, messages[key], values)

const NUMBER = msg`数値`

interface Issue {
  code: string
  data?: unknown
  expected?: string
  rule?: unknown
}

const isIssue = (error: unknown): error is Issue =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'

const isBlank = (value: unknown) =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/**
 * The message of a field's first error in TanStack Form (spec 5); undefined if there is none. A blank value gives
 * ec00001, a too long one ec00003, `ctx.mustBe('key:n')` or a key that message, anything else `invalidField`.
 */
export function fieldMessage(i18n: I18n, errors: readonly unknown[], label: string): string | undefined {
  const [error] = errors.flat().filter(Boolean)
  if (error === undefined) return undefined
  if (typeof error === 'string')
    return isMessageKey(error) ? messageText(i18n, error, { field: label }) : error
  return isIssue(error)
    ? issueMessage(i18n, error, label)
    : messageText(i18n, 'invalidField', { field: label })
}

function issueMessage(i18n: I18n, { code, data, expected = '', rule }: Issue, field: string): string {
  const [key = '', n = ''] = expected.split(':')
  if (isMessageKey(key)) return messageText(i18n, key, { field, n, type: i18n._(NUMBER) })
  if (isBlank(data)) return messageText(i18n, 'ec00001', { field })
  if (code === 'maxLength') return messageText(i18n, 'ec00003', { field, n: Number(rule) })
  if (expected === 'an email address') return messageText(i18n, 'ec00024')
  return messageText(i18n, 'invalidField', { field })
}
