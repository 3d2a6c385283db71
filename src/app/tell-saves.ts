/** The banners of saves and refusals (data/save-story) in words: one for the last save, one for all that was refused. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { PHOTOS } from '#schemas/photo-queue.ts'
import type { QueueItem } from '#schemas/change-queue.ts'
import type { Services, UserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import type { Banner } from '#data/flash-store.ts'
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
import { jobName, nameable } from '#features/outbox/job-texts.ts'
import { messageText } from '#messages/messages.ts'
import { refusalText } from '#messages/reason-text.ts'

const SAVE = 'save'
const REFUSED = 'refused'

type Parts = Pick<Services, 'flash' | 'online' | 'session'> & {
  db: Database
  i18n: I18n
  /** Felt, where the device can. */
  buzz?: (what: 'saved' | 'refused') => void
}

/** @returns what a save is told to, and what ends the watch */
export function tellSaves({ db, i18n, flash, online, session, buzz }: Parts): {
  saved: UserData['saved']
  stop: () => void
} {
  let stories = NO_STORIES
  let outbox: Outbox | null = null
  let shown: { phase: SavePhase | null; refused: string } = { phase: null, refused: '' }
  const gate = (): Gate => (online.get() ? (session.get()?.expired ? 'login' : 'open') : 'offline')

  const tell = ({ stories: next, phase, refused }: Told) => {
    stories = next
    if (phase !== undefined && phase !== shown.phase) {
      shown = { ...shown, phase }
      if (phase === null) flash.remove(SAVE)
      else flash.put(SAVE, saveBanner(i18n, phase))
    }
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
    saved(stamps) {
      buzz?.('saved')
      shown = { ...shown, phase: null }
      const { stories: next, phase } = begin(stories, stamps, gate())
      stories = next
      if (phase) {
        shown = { ...shown, phase }
        flash.put(SAVE, saveBanner(i18n, phase))
      }
      look()
    },
    stop() {
      queue.unsubscribe()
      for (const each of leave) each()
      flash.remove(SAVE)
      flash.remove(REFUSED)
    },
  }
}

function saveBanner(i18n: I18n, phase: SavePhase): Banner {
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
      return { mode: 'warning', text: messageText(i18n, 'savedOffline') }
    case 'done':
      return { mode: 'success', text: messageText(i18n, 'saveSuccess') }
  }
}

/** One refusal with its reason and the way to it; of several how many, and the way to the list. Null: none is left. */
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
    text: refusalText(i18n, { reasons: first.ledger?.reasons ?? [], status: first.ledger?.status ?? 0 }),
    link: { path: `/outbox#${first.change.id}`, text: i18n._(msg`送信状況で確認`) },
  }
}
