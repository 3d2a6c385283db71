/** What a user is told of the open data: saves, a queue that was sent, the count on the app's icon. */
import { i18n } from '@lingui/core'
import type { Services, UserData } from '#data/app-context.tsx'
import { messages } from '#messages/messages.ts'
import { buzz, watchBadge } from './device-signals.ts'
import type { Network } from './network.ts'
import { watchReplay } from './replayed.ts'
import { tellAside } from './tell-aside.ts'
import { tellSaves } from './tell-saves.ts'
import type { OpenedUserData } from './user-data.ts'

/** @returns what a save is told to, and what ends the watch */
export function tellUser(
  services: Services,
  { connectivity }: Network,
  { db, bytes, drafts, aside }: OpenedUserData,
): { saved: UserData['saved']; stop: () => void } {
  watchReplay(db, connectivity, () => services.flash.show('success', i18n._(messages.replayed)))
  const telling = tellSaves({ ...services, db, bytes, drafts, i18n, buzz: (what) => buzz(navigator, what) })
  const stopCounting = watchBadge(navigator, db, services.crms)
  const stopAside = tellAside({ aside, flash: services.flash, i18n })
  return {
    saved: telling.saved,
    stop() {
      telling.stop()
      stopCounting()
      stopAside()
    },
  }
}
