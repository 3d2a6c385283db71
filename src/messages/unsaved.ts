/** Banners for a save that fails on the device (sync RULES SV1): the cause, and how to free space. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { bytesText } from '#lib/bytes-text.ts'
import type { BannerPlace, TextBanner } from '#lib/flash-kinds.ts'

export const UNSAVED = 'unsaved'
export const PHOTO_UNSAVED = 'photo-unsaved'
const STORAGE_FULL = 'storage-full'
export const INPUT_IN_DRAFTS = 'input-in-drafts'

/** Shows a banner for lost input, in place of the banner of a full device if that is its cause. */
export function putUnsaved(flash: BannerPlace, key: string, banner: TextBanner): void {
  if (banner.isAboutSpace) flash.remove(STORAGE_FULL)
  flash.put(key, banner)
}

/**
 * Shows or hides the banner that the device has no space for data from the CRM (sync RULES ST4). It is not shown beside
 * a banner for lost input that says the same.
 */
export function showStorageFull(isFull: boolean, flash: BannerPlace, i18n: I18n): void {
  if (!isFull) return flash.remove(STORAGE_FULL)
  if ([UNSAVED, PHOTO_UNSAVED].some((key) => flash.at(key)?.isAboutSpace)) return
  const text = msg`端末の空き容量が足りないため、最新のデータを保存できません。写真や使わないアプリを消して空きを増やすと、自動で続きます。保存済の内容は消えません。`
  flash.put(STORAGE_FULL, { mode: 'danger', text: i18n._(text), stays: true })
}

/** If the uploaded photos have fewer bytes, the banner does not offer to delete them. */
const WORTH_BYTES = 100_000

const INPUT_PLACE = {
  form: msg`入力した内容はこの画面に残っています。`,
  draft: msg`入力した内容は送信状況の「入力途中」に残っています。`,
  no: msg`直前の操作は端末に残っていません。`,
}

const OTHER_TABS = msg`続くときは、ほかのタブを閉じてください。`

/** The banner for a failed save. It stays until the user closes it or a save succeeds. */
export function unsavedBanner(
  i18n: I18n,
  { isFull, inputIn, sentPhotos }: { isFull: boolean; inputIn: 'form' | 'draft' | 'no'; sentPhotos: number },
) {
  const lines = [
    ...(isFull ? [msg`端末の空き容量が足りません。`] : []),
    INPUT_PLACE[inputIn],
    ...(isFull ? roomLines(sentPhotos) : []),
    inputIn === 'no' ? msg`もう一度操作してください。` : msg`もう一度保存してください。`,
    ...(isFull ? [] : [OTHER_TABS]),
  ]
  return {
    mode: 'danger' as const,
    title: i18n._(msg`端末に保存できませんでした`),
    text: joined(i18n, lines),
    stays: true,
    isAboutSpace: isFull,
    ...(inputIn === 'draft' && { link: linkToDrafts(i18n) }),
    ...(isFull && linkToSettings(i18n, sentPhotos)),
  }
}

/** The banner for a save to which the device's storage has not answered for a long time. */
export const notYetBanner = (i18n: I18n) => ({
  mode: 'warning' as const,
  title: i18n._(msg`まだ保存できていません`),
  text: joined(i18n, [msg`端末の保存領域から、まだ返事がありません。`, OTHER_TABS]),
  stays: true,
})

/** The banner for a save that failed after its form was closed. Another banner names the cause. */
export const closedFormBanner = (i18n: I18n) => ({
  mode: 'danger' as const,
  title: i18n._(msg`保存していません`),
  text: joined(i18n, [INPUT_PLACE.draft, msg`もう一度保存してください。`]),
  stays: true,
  link: linkToDrafts(i18n),
})

/** The banner for a form in which saving is no longer allowed. It links to the drafts, where the input is. */
export const inputInDraftsBanner = (i18n: I18n) => ({
  mode: 'info' as const,
  text: i18n._(INPUT_PLACE.draft),
  link: linkToDrafts(i18n),
})

const joined = (i18n: I18n, lines: readonly MessageDescriptor[]) => lines.map((line) => i18n._(line)).join('')
const linkToDrafts = (i18n: I18n) => ({ path: '/outbox', text: i18n._(msg`送信状況を見る`) })

/** The banner for a photo that was not added because the device is full. */
export function photoUnsavedBanner(i18n: I18n, sentPhotos: number) {
  const lines = [
    msg`端末の空き容量が足りません。`,
    ...roomLines(sentPhotos),
    msg`空きができたら、もう一度写真を追加してください。`,
  ]
  return {
    mode: 'danger' as const,
    title: i18n._(msg`写真を端末に保存できませんでした`),
    text: joined(i18n, lines),
    stays: true,
    isAboutSpace: true,
    ...linkToSettings(i18n, sentPhotos),
  }
}

/** The banner for a photo that was read too late, because the user's data was locked while the app read the photo. */
export const photoTooLateBanner = (i18n: I18n) => ({
  mode: 'danger' as const,
  title: i18n._(msg`写真を端末に保存できませんでした`),
  text: i18n._(msg`読み込み中に画面がロックされたか、ログアウトしました。もう一度写真を追加してください。`),
  stays: true,
})

const linkToSettings = (i18n: I18n, sentPhotos: number) =>
  sentPhotos >= WORTH_BYTES && { link: { path: '/settings', text: i18n._(msg`設定で空きを増やす`) } }

function roomLines(sentPhotos: number) {
  const size = bytesText(sentPhotos)
  return sentPhotos >= WORTH_BYTES
    ? [
        msg`送信済の写真を端末から消すと${size}空きます（写真はCRMに残ります）。`,
        msg`足りないときは、使わないアプリや写真を端末から消してください。`,
      ]
    : [msg`使わないアプリや写真を端末から消してください。`]
}

export const RECEIVED = 'received'

/** Shows how many shared photos wait for a form. Removes the banner if `count` is 0. */
export function notifyReceived(flash: Pick<BannerPlace, 'put' | 'remove'>, i18n: I18n, count: number): void {
  if (count === 0) return flash.remove(RECEIVED)
  flash.put(RECEIVED, {
    mode: 'info',
    title: i18n._(msg`共有された写真${count}枚が待っています`),
    text: i18n._(msg`依頼とフォームを選ぶと追加します。選ばないと、1日たつと消えます。`),
    link: { path: '/share', text: i18n._(msg`依頼を選ぶ`) },
    stays: true,
  })
}
