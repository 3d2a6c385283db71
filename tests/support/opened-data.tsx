/** A user's data as screens are given it, opened before a screen is drawn or while it stands. */
import type { ReactNode } from 'react'
import { notifySaves } from '#app/shell/save-notifications.ts'
import {
  UserDataContext,
  useValue,
  type Services,
  type UserData,
  type LockedData,
} from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { createLiveQueries } from '#data/database/live-queries.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { FormDraftsContext } from '#form/form-drafts.ts'
import { i18n } from './i18n.ts'
import { PLAIN } from './plain-sealer.ts'

interface Parts {
  services: Services
  db: Database
  bytes: PhotoBytesTable
  /** What is sealed under a password of before; nothing. */
  lockedData: LockedData | undefined
}

/** @returns `stop`: nothing is told of its saves any more */
export function openedData({ services, db, bytes, lockedData }: Parts): { data: UserData; stop: () => void } {
  const drafts = createFormDrafts({ db, bytes })
  const { saved, stop } = notifySaves({ ...services, db, bytes, drafts, i18n })
  const live = createLiveQueries(db)
  return {
    data: {
      db,
      bytes,
      live,
      drafts,
      sealer: PLAIN,
      lockedData: lockedData ?? noAside(),
      saved,
      painted: () => undefined,
    },
    stop,
  }
}

/** What is open now, for what is in it. */
export function Opened({
  userData,
  children,
}: {
  userData: ValueStore<UserData | null>
  children: ReactNode
}) {
  const data = useValue(userData)
  return (
    <UserDataContext value={data}>
      <FormDraftsContext value={data?.drafts ?? null}>{children}</FormDraftsContext>
    </UserDataContext>
  )
}

const noAside = (): LockedData => ({
  get: () => 0,
  subscribe: () => () => undefined,
  recoverable: () => 0,
  bundle: async () => new Blob(),
  open: async () => 'wrong',
  stays: () => null,
  wait: () => 0,
  discard: async () => undefined,
})
