/** The banners of saves and refusals (data/save-story): one for the last save, one for all that was refused. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services, UserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outbox$, type Outbox } from '#data/outbox.ts'
import {
  begin,
  dismissRefusals,
  follow,
  NO_STORIES,
  type Gate,
  type SavePhase,
  type Told,
} from '#data/save-story.ts'
import { undoable, undoSave, type MadeSave } from '#data/undo-save.ts'
import { refusedBanner, saveBanner, undoneBanner } from './save-banners.ts'

const SAVE = 'save'
const REFUSED = 'refused'
const UNDONE = 'undone'

/** What the banner of a save says while nothing of it leaves: 元に戻す may stand there. */
const STAYS_HERE: readonly (SavePhase | null)[] = ['offline', 'login', 'held', 'waiting']

type Parts = Pick<Services, 'flash' | 'online' | 'session' | 'newId'> & {
  db: Database
  bytes: UserData['bytes']
  drafts: UserData['drafts']
  i18n: I18n
  /** Felt, where the device can. */
  buzz?: (what: 'saved' | 'refused') => void
}

interface Made extends MadeSave {
  path: string
}

/** @returns what a save is told to, and what ends the watch */
export function tellSaves(parts: Parts): {
  saved: UserData['saved']
  stop: () => void
} {
  const { db, i18n, flash, online, session, buzz, drafts } = parts
  let stories = NO_STORIES
  let outbox: Outbox | null = null
  /** The last save, until it was taken back. */
  let made: Made | null = null
  let shown: { phase: SavePhase | null; refused: string; back: boolean } = {
    phase: null,
    refused: '',
    back: false,
  }
  const gate = (): Gate => (online.get() ? (session.get()?.expired ? 'login' : 'open') : 'offline')

  const takeBack = () => {
    const save = made
    const items = save && outbox && undoable(outbox, save.stamps)
    made = null
    stories = { ...stories, story: null }
    shown = { ...shown, phase: null, back: false }
    flash.remove(SAVE)
    if (save) void undo(parts, save, items)
  }
  const tellSave = (phase: SavePhase | null) => {
    const back =
      made !== null && STAYS_HERE.includes(phase) && outbox !== null && undoable(outbox, made.stamps) !== null
    // one that was closed stays closed
    if (phase === shown.phase && (back === shown.back || !flash.has(SAVE))) return
    shown = { ...shown, phase, back }
    if (phase === null) return flash.remove(SAVE)
    const act = { text: i18n._(msg`元に戻す`), run: takeBack }
    flash.put(SAVE, { ...saveBanner(i18n, phase), ...(back && { act }) })
  }
  const tell = ({ stories: next, phase = shown.phase, refused }: Told) => {
    stories = next
    tellSave(phase)
    // the same banner again says whether it is still there
    const signature = [...(next.told ?? [])].join()
    if (signature === shown.refused) return
    shown = { ...shown, refused: signature }
    const banner = refusedBanner(i18n, refused)
    if (banner) {
      flash.put(REFUSED, banner)
      buzz?.('refused')
    } else flash.remove(REFUSED)
  }
  const look = () => {
    if (!outbox) return
    if (shown.refused !== '' && !flash.has(REFUSED)) stories = dismissRefusals(stories)
    tell(follow(stories, outbox, gate()))
  }
  const queue = outbox$(db).subscribe((next) => {
    outbox = next
    look()
  })
  const leave = [online.subscribe(look), session.subscribe(look)]
  return {
    saved(stamps, path) {
      buzz?.('saved')
      made = { stamps: [...stamps], form: drafts.submitted(), path }
      shown = { ...shown, phase: null, back: false }
      const { stories: next, phase } = begin(stories, stamps, gate())
      stories = next
      tellSave(phase ?? null)
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
  items: ReturnType<typeof undoable>,
) {
  const open = form ? path : null
  flash.put(UNDONE, undoneBanner(i18n, 'running', open))
  const undone = items ? await undoSave({ db, bytes, newId }, items, { form, stamps }) : 'left'
  if (form && undone === 'back') drafts.returned(form.key)
  flash.put(UNDONE, undoneBanner(i18n, undone, open))
}
