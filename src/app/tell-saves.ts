/** The banners of saves and refusals (data/save-story): one for the last save, one for all that was refused. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services, UserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outbox$ } from '#data/outbox.ts'
import type { Gate } from '#data/save-story.ts'
import { undoSave } from '#data/undo-save.ts'
import { refusedBanner, saveBanner, undoneBanner } from './save-banners.ts'
import {
  NOTHING_TOLD,
  takeable,
  withLook,
  withoutSave,
  withSaved,
  type Made,
  type SavesTold,
} from './saves-told.ts'

const SAVE = 'save'
const REFUSED = 'refused'
const UNDONE = 'undone'

type Parts = Pick<Services, 'flash' | 'online' | 'session' | 'newId'> & {
  db: Database
  bytes: UserData['bytes']
  drafts: UserData['drafts']
  i18n: I18n
  /** Felt, where the device can. */
  buzz?: (what: 'saved' | 'refused') => void
}

/** @returns what a save is told to, and what ends the watch */
export function tellSaves(parts: Parts): {
  saved: UserData['saved']
  stop: () => void
} {
  const { db, i18n, flash, online, session, buzz, drafts } = parts
  let told = NOTHING_TOLD
  const gate = (): Gate => (online.get() ? (session.get()?.expired ? 'login' : 'open') : 'offline')

  const takeBack = () => {
    const { made } = told
    const items = takeable(told)
    show(withoutSave(told))
    if (made) void undo(parts, made, items)
  }
  const showSave = ({ save }: SavesTold) => {
    if (!save) return flash.remove(SAVE)
    const act = { text: i18n._(msg`元に戻す`), run: takeBack }
    flash.put(SAVE, { ...saveBanner(i18n, save.phase, save.said), ...(save.back && { act }) })
  }
  const showRefused = ({ refused }: SavesTold) => {
    const banner = refusedBanner(i18n, refused.items)
    if (!banner) return flash.remove(REFUSED)
    flash.put(REFUSED, banner)
    buzz?.('refused')
  }
  const show = (next: SavesTold) => {
    const before = told
    told = next
    if (next.save !== before.save) showSave(next)
    if (next.refused !== before.refused) showRefused(next)
  }
  const look = () => show(withLook(told, gate(), { save: flash.has(SAVE), refused: flash.has(REFUSED) }))
  const queue = outbox$(db).subscribe((outbox) => {
    told = { ...told, outbox }
    look()
  })
  const leave = [online.subscribe(look), session.subscribe(look)]
  return {
    saved(stamps, path) {
      buzz?.('saved')
      show(withSaved(told, { stamps: [...stamps], form: drafts.submitted(), path }, gate()))
      look()
    },
    stop() {
      queue.unsubscribe()
      for (const each of leave) each()
      for (const key of [SAVE, REFUSED, UNDONE]) flash.remove(key)
    },
  }
}

/** 元に戻す was pressed. A failure of the device is said where all are that nobody catches (sync RULES SV1). */
async function undo(
  { db, bytes, newId, drafts, flash, i18n }: Parts,
  { form, stamps, path }: Made,
  items: ReturnType<typeof takeable>,
) {
  const open = form ? path : null
  flash.put(UNDONE, undoneBanner(i18n, 'running', open))
  // its form may still be being left: the draft that goes with that would be the one that undoing makes
  if (form) await drafts.over(form.key)
  const undone = items ? await undoSave({ db, bytes, newId }, items, { form, stamps }) : 'left'
  if (form && undone === 'back') drafts.returned(form.key)
  flash.put(UNDONE, undoneBanner(i18n, undone, open))
}
