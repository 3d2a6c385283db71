/** Shows the banners about saves: one for the last save, one for all refusals. `save-banner-state.ts` decides when. */
import type { DiscardPlace } from '#data/outbox/discard.ts'
import type { KeyedBanners } from '#data/context/flash-store.ts'
import type { FormDraftStore } from '#data/drafts/drafts.ts'
import type { Session } from '#schemas/device/session.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { I18n } from '@lingui/core'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { msg } from '@lingui/core/macro'
import type { UserData } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import type { Gate } from '#data/outbox/save-story.ts'
import { undoSave } from '#data/outbox/undo-save.ts'
import { refusedBanner, saveBanner, savedTitle, undoneBanner } from './save-banners.ts'
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

const SAVE = 'save'
const REFUSED = 'refused'
const UNDONE = 'undone'

interface NotifySaves extends DiscardPlace {
  flash: KeyedBanners
  online: ValueStore<boolean>
  session: ValueStore<Session | null>
  drafts: Pick<FormDraftStore, 'returned'>
  i18n: I18n
  buzz?: (event: 'saved' | 'refused') => void
}

/** @returns `saved` must be called after each save */
export function notifySaves(parts: NotifySaves): {
  saved: UserData['saved']
  stop: () => void
} {
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

/**
 * Titles of saves. A title contains the name of the building, which is read from the device.
 * @param onFound called when the name was found, which changes the title
 */
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

/** Returns the name of the record's building; '' if it is unknown or the database is closing. */
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
