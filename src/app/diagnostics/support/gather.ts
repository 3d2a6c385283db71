/** Gathers what a support file is made of, and makes its text. Loaded when somebody asks for one. */
import { firstValueFrom } from 'rxjs'
import { supportFile, type SupportContents } from '#schemas/support-file.ts'
import { kindNames, sharedKinds } from '#schemas/shared.ts'
import type { Session } from '#schemas/session.ts'
import type { UserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outbox$, type Outbox } from '#data/outbox.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Figures } from '#app/diagnostics/figures.ts'
import type { Journal } from '#app/diagnostics/journal.ts'
import { textOf } from './fit.ts'
import { supportFileOf } from './support-file.ts'

interface GatherParts {
  /** Epoch ms. */
  now: number
  version: string
  agent: string
  online: boolean
  installed: boolean
  session: Session | null
  data: Pick<UserData, 'db'> | null
  storage: StorageManager | undefined
  log: Pick<ErrorLog, 'read'>
  figures: Pick<Figures, 'read'>
  journal: Pick<Journal, 'read'>
  /** 内容も含める. */
  withContents: boolean
}

/** @returns the text of the file: JSON of `schemas/support-file.ts` */
export async function makeSupportFile(parts: GatherParts): Promise<string> {
  const { now, version, agent, online, installed, session, data, log, figures, journal, withContents } = parts
  const outbox = data ? await firstValueFrom(outbox$(data.db)) : null
  const errors = await log.read()
  const queue = itemsOf(outbox)
  const contents = data && withContents ? await contentsOf(data.db, session, queue, errors) : undefined
  const file = supportFileOf({
    now,
    app: { version, browser: browserOf(agent), system: systemOf(agent), online, installed },
    session: {
      signedIn: session !== null,
      expired: session?.expired ?? false,
      role: session?.userInfo.userFlag ?? null,
    },
    storage: { ...(await storageOf(parts.storage)), documents: data ? await documentsOf(data.db) : {} },
    wait: outbox?.wait ?? '',
    queue,
    ...(await journal.read()),
    figures: await figures.read(),
    errors,
    known: knownOf(session, queue),
    ...(contents && { contents }),
  })
  // what the reader would not take must not leave the device
  return textOf(supportFile.assert(file))
}

const itemsOf = (outbox: Outbox | null) =>
  outbox ? [...outbox.queue, ...outbox.photos.flatMap(({ items }) => items)] : []

type Items = ReturnType<typeof itemsOf>

/** What names somebody or something, and could stand in an error's text. */
function knownOf(session: Session | null, queue: Items): string[] {
  const { id = '', loginUserName = '' } = session?.userInfo ?? {}
  const ofRecords = queue.flatMap(({ record, change }) => [
    record.key,
    record.requestId,
    record.serverId,
    change.id,
  ])
  // longer ones first: one may be a part of another
  return [...new Set([id, loginUserName, session?.userName ?? '', ...ofRecords])].toSorted(
    (a, b) => b.length - a.length,
  )
}

async function storageOf(storage: StorageManager | undefined) {
  const { usage, quota } = (await storage?.estimate?.().catch(() => null)) ?? {}
  return {
    used: usage ?? null,
    free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
    persisted: (await storage?.persisted?.().catch(() => null)) ?? null,
  }
}

/** Of a shared collection each kind by its own name. */
async function documentsOf(db: Database): Promise<Record<string, number>> {
  const shared = kindNames.map((kind): string => sharedKinds[kind].in)
  const collections = Object.values(db.collections).filter(({ name }) => !shared.includes(name))
  const counted = [
    ...collections.map(async (one) => [one.name, await one.count().exec()] as const),
    ...kindNames.map(async (kind) => [kind, await db[kind].count().exec()] as const),
  ]
  return Object.fromEntries(await Promise.all(counted))
}

async function contentsOf(
  db: Database,
  session: Session | null,
  queue: Items,
  errors: readonly object[],
): Promise<SupportContents> {
  const { id = '', loginUserName = '', userFlag = 0 } = session?.userInfo ?? {}
  const drafts = await db.drafts.find().exec()
  const records = new Map(queue.map(({ record }) => [`${record.resource} ${record.key}`, record]))
  return {
    user: { id, loginUserName, userFlag },
    records: [...records.values()],
    ledger: queue.flatMap(({ ledger }) => ledger ?? []),
    drafts: drafts.map((doc) => doc.toMutableJSON()),
    errors: [...errors],
  }
}
