/** Texts of the banners for saves and refusals. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Banner } from '#data/context/flash-store.ts'
import type { SavePhase } from '#data/outbox/save-story.ts'
import type { Undone } from '#data/outbox/undo-save.ts'
import { jobName, nameable } from '#features/request-form/job-name.ts'
import { messageText } from '#messages/messages.ts'
import { reasonText, refusalText } from '#messages/reason-text.ts'

/**
 * Returns the title of a save: 退館報告登録：中央ビル, or 退館報告登録（3件）：中央ビル.
 * @param place name of the building; '' if it is unknown
 */
export function savedTitle(i18n: I18n, items: readonly QueueItem[], place: string): string | undefined {
  const changes = items.filter(({ record }) => record.resource !== PHOTOS)
  const [first] = changes
  if (!first && items.length === 0) return undefined
  const name = first ? jobName(i18n, nameable(first), changes.length) : i18n._(msg`写真`)
  return place === '' ? name : i18n._(msg`${name}：${place}`)
}

/**
 * Returns the banner of the last save.
 * @param title names the saved record
 * @param acceptedTexts messages of the CRM about the accepted save, which replace the app's own text (spec 8, 200)
 */
export function saveBanner(
  i18n: I18n,
  phase: SavePhase,
  acceptedTexts: readonly string[],
  title: string | undefined,
): Banner {
  return { ...phaseBanner(i18n, phase, acceptedTexts), yields: true, ...(title !== undefined && { title }) }
}

function phaseBanner(i18n: I18n, phase: SavePhase, acceptedTexts: readonly string[]): Banner {
  switch (phase) {
    case 'sending':
      return { mode: 'info', text: i18n._(msg`保存しました。送信中です`) }
    case 'again':
      return { mode: 'info', text: i18n._(msg`もう一度送信しています`) }
    case 'held':
      return {
        mode: 'info',
        text: i18n._(msg`保存しました。先に保存した登録が送信されてから送信します。`),
      }
    case 'login':
      return { mode: 'warning', text: i18n._(msg`保存しました。再ログインすると送信します。`) }
    case 'waiting':
      return {
        mode: 'info',
        text: i18n._(msg`保存しました。CRMが受け付けられるようになると送信します。`),
        link: { path: '/outbox', text: i18n._(msg`送信状況を見る`) },
      }
    case 'offline':
      return { mode: 'warning', about: 'offline', text: messageText(i18n, 'savedOffline') }
    case 'done':
      return acceptedTexts.length > 0
        ? { mode: 'info', text: acceptedTexts.map((text) => reasonText(i18n, text)).join('\n') }
        : { mode: 'success', text: messageText(i18n, 'saveSuccess') }
  }
}

/**
 * Returns the banner of refusals; null if nothing was refused. One refusal shows its reason and a link to the save;
 * several show their number and a link to 送信状況.
 */
export function refusedBanner(i18n: I18n, refused: readonly QueueItem[]): Banner | null {
  const [first] = refused
  if (!first) return null
  const count = refused.length
  const base = { mode: 'danger' as const, stays: true }
  if (count > 1)
    return {
      ...base,
      title: i18n._(msg`${count}件を送信できませんでした`),
      text: i18n._(msg`送信状況で、それぞれの理由と次にすることを確認してください。`),
      link: { path: '/outbox', text: i18n._(msg`送信状況を見る`) },
    }
  const isPhoto = first.record.resource === PHOTOS
  const name = isPhoto ? i18n._(msg`写真`) : jobName(i18n, nameable(first))
  return {
    ...base,
    title: i18n._(msg`${name}を送信できませんでした`),
    text: refusalText(i18n, {
      reasons: first.progress?.reasons ?? [],
      status: first.progress?.status ?? 0,
      kind: first.change.kind,
    }),
    link: { path: `/outbox#${first.change.id}`, text: i18n._(msg`送信状況で確認`) },
  }
}

/**
 * Returns the banner after 元に戻す.
 * @param path path of the form that has the restored input; null if there is none
 * @param title names the undone record
 */
export function undoneBanner(
  i18n: I18n,
  undone: Undone | 'running',
  path: string | null,
  title?: string,
): Banner {
  const text = i18n._(UNDONE[undone])
  const base = { mode: 'info' as const, yields: true, ...(title !== undefined && { title }) }
  if (undone !== 'back' || path === null) return { ...base, text }
  return {
    ...base,
    text: `${text}${i18n._(msg`入力した内容は残っています。`)}`,
    link: { path, text: i18n._(msg`入力を続ける`) },
  }
}

const UNDONE = {
  running: msg`保存を元に戻しています`,
  back: msg`保存を元に戻しました。`,
  tooLate: msg`すでに送信が始まっていたため、元に戻せません。`,
  typed: msg`同じ画面に新しい入力があるため、元に戻せません。保存した内容は送信状況で確認できます。`,
} satisfies Record<Undone | 'running', unknown>
