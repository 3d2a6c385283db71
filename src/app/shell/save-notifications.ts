/** Shows the banners about saves: one for the last save, one for all refusals. `save-banner-state.ts` decides when. */
import type { DiscardPlace } from '#data/outbox/discard.ts'
import type { FlashStore, Banner } from '#data/context/flash-store.ts'
import type { FormDraftStore } from '#data/drafts/drafts.ts'
import type { Session } from '#schemas/device/session.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { I18n, MessageDescriptor } from '@lingui/core'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { msg } from '@lingui/core/macro'
import type { UserData } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import type { Gate, SavePhase } from '#data/outbox/save-story.ts'
import { undoSave, type Undone } from '#data/outbox/undo-save.ts'
import {
  NO_BANNERS,
  itemsOfSave,
  undoableItems,
  afterChange,
  afterUndo,
  afterSave,
  type Made,
  type SaveBanners,
} from './save-banner-state.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { jobName, nameable } from '#features/request-form/job-name.ts'
import { messages } from '#messages/messages.ts'
import { reasonText, refusalText } from '#messages/reason-text.ts'

const SAVE = 'save'
const REFUSED = 'refused'
const UNDONE = 'undone'

interface NotifySaves extends DiscardPlace {
  flash: FlashStore
  online: ValueStore<boolean>
  session: ValueStore<Session | null>
  drafts: Pick<FormDraftStore, 'returned'>
  i18n: I18n
  buzz?: (event: 'saved' | 'refused') => void
}

/** @returns `saved` must be called after each save */
export function notifySaves(parts: NotifySaves): { saved: UserData['saved']; stop: () => void } {
  const { db, i18n, flash, online, session, buzz } = parts
  let banners = NO_BANNERS
  const titles = saveTitles(parts, () => flash.has(SAVE) && showSave(banners))
  const gate = (): Gate => (online.get() ? (session.get()?.expired ? 'login' : 'open') : 'offline')

  const undoLastSave = () => {
    const { made } = banners
    const items = undoableItems(banners)
    const title = titles.of(made)
    show(afterUndo(banners))
    if (made) void undo(parts, made, items, title)
  }
  const showSave = ({ save, made }: SaveBanners) => {
    if (!save) return flash.remove(SAVE)
    const act = { text: i18n._(msg`元に戻す`), run: undoLastSave }
    const banner = saveBanner(i18n, save.phase, save.acceptedTexts, titles.of(made))
    flash.put(SAVE, { ...banner, ...(save.canUndo && { act }) })
  }
  const showRefused = ({ refused }: SaveBanners) => {
    const banner = refusedBanner(i18n, refused.items)
    if (!banner) return flash.remove(REFUSED)
    flash.put(REFUSED, banner)
    buzz?.('refused')
  }
  const show = (next: SaveBanners) => {
    const before = banners
    banners = next
    if (next.save !== before.save) showSave(next)
    if (next.refused !== before.refused) showRefused(next)
  }
  const update = () => {
    show(afterChange(banners, gate(), { save: flash.has(SAVE), refused: flash.has(REFUSED) }))
    void titles.find(banners)
  }
  const queue = outbox$(db).subscribe((outbox) => {
    banners = { ...banners, outbox }
    update()
  })
  const unsubscribes = [online.subscribe(update), session.subscribe(update)]
  return {
    saved(stamps, path, form) {
      buzz?.('saved')
      show(afterSave(banners, { stamps: [...stamps], form, path }, gate()))
      update()
    },
    stop() {
      queue.unsubscribe()
      for (const unsubscribe of unsubscribes) unsubscribe()
      for (const key of [SAVE, REFUSED, UNDONE]) flash.remove(key)
    },
  }
}

/** Titles of saves, with the building's name, which is read from the device. @param onFound called then */
function saveTitles({ db, i18n }: Pick<NotifySaves, 'db' | 'i18n'>, onFound: () => void) {
  let last: { made: Made; title?: string | undefined } | null = null
  return {
    of: (made: Made | null) => (last?.made === made ? last?.title : undefined),
    async find(banners: SaveBanners) {
      const { made } = banners
      const items = itemsOfSave(banners)
      if (!made || items.length === 0 || last?.made === made) return
      const found: NonNullable<typeof last> = { made }
      last = found
      found.title = savedTitle(i18n, items, await placeOf(db, items))
      if (last === found) onFound()
    },
  }
}

async function placeOf(db: Database, [first]: readonly QueueItem[]): Promise<string> {
  const request = db.requests.findOne({ selector: { id: first?.record.requestId ?? '' } }).exec()
  return (await request.catch(() => null))?.locationName ?? ''
}

/** Undoes the last save. If that fails on the device, the uncaught error shows a banner (sync RULES SV1). */
async function undo(
  { db, bytes, newId, clock, drafts, flash, i18n }: NotifySaves,
  { form, stamps, path }: Made,
  items: ReturnType<typeof undoableItems>,
  title: string | undefined,
) {
  const formPath = form ? path : null
  flash.put(UNDONE, undoneBanner(i18n, 'running', formPath, title))
  const undone = items ? await undoSave({ db, bytes, newId, clock }, items, { form, stamps }) : 'tooLate'
  if (form && undone === 'back') drafts.returned(form.key)
  flash.put(UNDONE, undoneBanner(i18n, undone, formPath, title))
}

/** The title of a save: 退館報告登録：中央ビル, or 退館報告登録（3件）：中央ビル. @param place '' if it is unknown */
function savedTitle(i18n: I18n, items: readonly QueueItem[], place: string): string | undefined {
  const changes = items.filter(({ record }) => record.resource !== PHOTOS)
  const [first] = changes
  if (!first && items.length === 0) return undefined
  const name = first ? jobName(i18n, nameable(first), changes.length) : i18n._(msg`写真`)
  return place === '' ? name : i18n._(msg`${name}：${place}`)
}

/** The banner of the last save. @param acceptedTexts messages of the CRM, which replace the app's (spec 8, 200) */
const saveBanner = (
  i18n: I18n,
  phase: SavePhase,
  acceptedTexts: readonly string[],
  title: string | undefined,
): Banner => ({
  ...phaseBanner(i18n, phase, acceptedTexts),
  yields: true,
  ...(title !== undefined && { title }),
})

const PHASES = {
  sending: { mode: 'info', text: msg`保存しました。送信中です` },
  again: { mode: 'info', text: msg`もう一度送信しています` },
  held: { mode: 'info', text: msg`保存しました。先に保存した登録が送信されてから送信します。` },
  login: { mode: 'warning', text: msg`保存しました。再ログインすると送信します。` },
  waiting: { mode: 'info', text: msg`保存しました。CRMが受け付けられるようになると送信します。` },
  offline: { mode: 'warning', text: messages.savedOffline },
  done: { mode: 'success', text: messages.saveSuccess },
} as const satisfies Record<SavePhase, Pick<Banner, 'mode'> & { text: MessageDescriptor }>

function phaseBanner(i18n: I18n, phase: SavePhase, acceptedTexts: readonly string[]): Banner {
  if (phase === 'done' && acceptedTexts.length > 0)
    return { mode: 'info', text: acceptedTexts.map((text) => reasonText(i18n, text)).join('\n') }
  const { mode, text } = PHASES[phase]
  return {
    mode,
    text: i18n._(text),
    ...(phase === 'offline' && { about: 'offline' }),
    ...(phase === 'waiting' && { link: { path: '/outbox', text: i18n._(msg`送信状況を見る`) } }),
  }
}

/** The banner of refusals; null for none. One shows its reason and a link to the save; several, their number. */
function refusedBanner(i18n: I18n, refused: readonly QueueItem[]): Banner | null {
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

/** The banner after 元に戻す. @param path the form that has the restored input; null if there is none */
function undoneBanner(i18n: I18n, undone: Undone | 'running', path: string | null, title?: string): Banner {
  const text = i18n._(UNDONE_TEXTS[undone])
  const base = { mode: 'info' as const, yields: true, ...(title !== undefined && { title }) }
  if (undone !== 'back' || path === null) return { ...base, text }
  return {
    ...base,
    text: `${text}${i18n._(msg`入力した内容は残っています。`)}`,
    link: { path, text: i18n._(msg`入力を続ける`) },
  }
}

const UNDONE_TEXTS = {
  running: msg`保存を元に戻しています`,
  back: msg`保存を元に戻しました。`,
  tooLate: msg`すでに送信が始まっていたため、元に戻せません。`,
  typed: msg`同じ画面に新しい入力があるため、元に戻せません。保存した内容は送信状況で確認できます。`,
} satisfies Record<Undone | 'running', unknown>
