/** Collects the data of a support file when a user asks for one, and sends the error log. */
import { firstValueFrom } from 'rxjs'
import { supportFile, type SupportFile } from '#schemas/device/support-file.ts'
import { kindNames, sharedKinds } from '#schemas/collections/shared.ts'
import type { Session } from '#schemas/device/session.ts'
import type { UserData, ErrorLogSent } from '#data/context/app-context.tsx'
import type { Network } from '#app/network/network.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { readStorageFacts } from '#lib/browser/storage-full.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { Page } from '#app/session/state/device.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Figures } from '#app/diagnostics/figures.ts'
import type { Recorder } from '#app/diagnostics/recorder.ts'
import { withBrowser, errorLogText } from '#app/diagnostics/error-text.ts'
import { supportFileOf, textOf } from '#app/diagnostics/support-file.ts'
import { createFileStore, createFileToken } from '#sync/photos/file-store.ts'
import { endpointsOf } from '#sync/transport/endpoints.ts'
import { createHttp } from '#sync/transport/http.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'

type SupportSources = Page & { figures: () => Promise<Figures> }

export async function supportFileNow(page: SupportSources, withContents: boolean): Promise<string> {
  const { clock, sessions, userData, log, figures, network } = page
  const { recorder, connectivity, schedulers } = await network
  return makeSupportFile({
    now: clock.now(),
    app: {
      version: __APP_VERSION__,
      browser: browserOf(navigator.userAgent),
      system: systemOf(navigator.userAgent),
      online: connectivity.isOnline(),
      installed: matchMedia('(display-mode: standalone)').matches,
    },
    session: sessions.get(),
    data: await opened(userData, sessions.get() !== null),
    storage: navigator.storage,
    log,
    figures: await figures(),
    recorder,
    waits: waitsOf(schedulers),
    withContents,
  })
}

/** Returns for each API (CRM, file store) why its next call waits. An API whose next call need not wait is left out. */
export const waitsOf = (schedulers: Network['schedulers']): Sources['waits'] =>
  (['crm', 'files'] as const).flatMap((api) => {
    const wait = schedulers[api].why()
    if (!wait) return []
    const { reason, until } = wait
    return [{ api, reason, until: Number.isFinite(until) ? new Date(until).toISOString() : '' }]
  })

/** Maximum wait for the user's database after a reload. If it opens later, the file has no user data. */
const OPENING_MAX_MS = 8_000

const opened = (userData: ValueStore<UserData | null>, isSignedIn: boolean) =>
  new Promise<UserData | null>((resolve) => {
    const timer = setTimeout(() => done(), OPENING_MAX_MS)
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve(userData.get())
    }
    const stop = userData.subscribe(() => userData.get() && done())
    if (!isSignedIn || userData.get()) done()
  })

interface Sources {
  now: number
  app: SupportFile['app']
  session: Session | null
  data: { db: Database } | null
  storage: StorageManager | undefined
  log: { read: ErrorLog['read'] }
  figures: { read: Figures['read'] }
  recorder: { read: Recorder['read'] }
  waits: SupportFile['waits']
  withContents: boolean
}

/** @returns JSON text of the shape in `schemas/device/support-file.ts` */
export async function makeSupportFile(sources: Sources): Promise<string> {
  const { now, app, waits, session, data, log, figures, recorder } = sources
  const outbox = data ? await firstValueFrom(outbox$(data.db)) : null
  const errors = await log.read()
  const queue = itemsOf(outbox)
  const contents =
    data && sources.withContents
      ? await contentsOf(data.db, session, queue, errors.map(withBrowser))
      : undefined
  const file = supportFileOf({
    now,
    app,
    session: {
      signedIn: session !== null,
      expired: session?.expired ?? false,
      role: session?.userInfo.userFlag ?? null,
    },
    storage: {
      ...(await readStorageFacts(sources.storage)),
      documents: data ? await documentsOf(data.db) : {},
    },
    wait: outbox?.wait ?? '',
    waits,
    queue,
    calls: await recorder.read('call'),
    moves: await recorder.read('move'),
    figures: await figures.read(),
    errors,
    known: knownOf(session, queue),
    ...(contents && { contents }),
  })
  return textOf(supportFile.onDeepUndeclaredKey('delete').assert(file))
}

const itemsOf = (outbox: Outbox | null) =>
  outbox ? [...outbox.queue, ...outbox.photos.flatMap(({ items }) => items)] : []

type Items = ReturnType<typeof itemsOf>

function knownOf(session: Session | null, queue: Items): string[] {
  const { id = '', loginUserName = '' } = session?.userInfo ?? {}
  const ofRecords = queue.flatMap(({ record, change }) => [
    record.key,
    record.requestId,
    record.serverId,
    change.id,
  ])
  // Longer ids and names are removed first, because a shorter one may be a part of a longer one.
  return [...new Set([id, loginUserName, session?.userName ?? '', ...ofRecords])].toSorted(
    (a, b) => b.length - a.length,
  )
}

/** Counts the documents of each collection. If a collection stores several kinds, each kind is counted on its own. */
async function documentsOf(db: Database): Promise<Record<string, number>> {
  const shared = kindNames.map((kind): string => sharedKinds[kind].in)
  const collections = Object.values(db.collections).filter(({ name }) => !shared.includes(name))
  const counted = [
    ...collections.map(async (one) => [one.name, await one.count().exec()] as const),
    ...kindNames.map(async (kind) => [kind, await db[kind].count().exec()] as const),
  ]
  return Object.fromEntries(await Promise.all(counted))
}

async function contentsOf(db: Database, session: Session | null, queue: Items, errors: object[]) {
  const { id = '', loginUserName = '', userFlag = 0 } = session?.userInfo ?? {}
  const drafts = await db.drafts.find().exec()
  const records = new Map(queue.map(({ record }) => [`${record.resource} ${record.key}`, record]))
  return {
    user: { id, loginUserName, userFlag },
    records: [...records.values()],
    ledger: queue.flatMap(({ progress }) => progress ?? []),
    drafts: drafts.map((doc) => doc.toMutableJSON()),
    errors,
  }
}

type Calling = Pick<Network, 'env' | 'fetch' | 'schedulers'> & Partial<Pick<Network, 'ended'>>
interface SendErrorLog extends Calling {
  origin: string
  locks: Locks
  sessions: Pick<DeviceSessions, 'read' | 'get' | 'replace'>
  log: Pick<ErrorLog, 'read' | 'remove'>
  now: () => number
}

export async function sendErrorLog(parts: SendErrorLog): Promise<ErrorLogSent> {
  const { env, origin, fetch, schedulers, locks, ended, sessions, log, now } = parts
  const user = sessions.get()?.userInfo
  if (!user) return 'failed'
  const entries = await log.read()
  // The user's tap allows one call before the circuit breaker's back-off is over.
  schedulers.files.requestCall()
  const unguarded = createHttp({ fetch, securityKey: env.securityKey, ...(ended && { onEnded: ended }) })
  const { files: url, refresh: refreshUrl } = endpointsOf(env, origin)
  const crmHttp = schedulers.crm.guard(unguarded)
  const tokens = createSessionTokens({ store: sessions, http: crmHttp, locks, refreshUrl, userId: user.id })
  const http = schedulers.files.guard(unguarded)
  const token = createFileToken({ http, url, user, sessions, tokens, now })
  const bytes = new TextEncoder().encode(errorLogText(entries)).buffer
  const file = { name: `${fileStamp(now())}.txt`, type: 'text/plain', bytes }
  const result = await createFileStore({ http, token, url, now }).upload(env.fileStoreErrorLogFolder, file)
  switch (result.kind) {
    case 'accepted':
      await log.remove(entries)
      return 'sent'
    case 'unreachable':
    case 'unknown':
      return 'offline'
    default:
      return 'failed'
  }
}
