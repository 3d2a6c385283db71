/**
 * A phone's life with several CRMs: what `config.json` names changes, pages start with one of them, people of the same id log
 * in, save, send, change to another and go. Starts and configurations are the shipped ones (`openSettings`, `crmsOf`).
 *
 * The law (sync RULES SV5): nothing of one CRM, no token, no change, no row and no key, gets to another or on its screen, and
 * who is signed in has a key that opens what is there.
 */
import { crmsOf } from '#app/config/env.ts'
import { knownTo, openSettings } from '#app/config/settings.ts'
import type { RuntimeConfig } from '#schemas/device/runtime-config.ts'
import { int, oneOf, randomOf } from '../random.ts'
import { keysOfPhone } from './keys.ts'
import { anyConfig, crmOf, DEFAULTS, type Names, type Phone, type PhoneSession, SHIPPED } from './world.ts'

const STEPS = 60
const ORIGIN = 'https://app.example'
const USERS = ['u1', 'u2'] as const

/** A page, or a frame: it has one CRM for its life. */
interface Page {
  crm: string
  scope: string
}

interface Life {
  phone: Phone
  names: Names
  /** What the host serves now. */
  config: RuntimeConfig
  crossings: string[]
}

export interface Result {
  crossings: string[]
  sent: number
}

export async function liveWith(seed: number, defect: Partial<Names> = {}): Promise<Result> {
  const random = randomOf(seed)
  const phone: Phone = {
    kept: null,
    lastScope: '',
    sessions: new Map(),
    stores: new Map(),
    keys: keysOfPhone(),
  }
  const life: Life = { phone, names: { ...SHIPPED, ...defect }, config: anyConfig(random), crossings: [] }
  let page = await start(life)
  let sent = 0
  for (let step = 0; step < STEPS; step += 1) {
    const chance = random()
    if (chance < 0.14) life.config = anyConfig(random)
    else if (chance < 0.24) page = await start(life)
    else if (chance < 0.36) page = await choose(life, random())
    else if (chance < 0.5) await logIn(life, page, oneOf(random, USERS))
    else if (chance < 0.54) await logInOffline(life, page, oneOf(random, USERS))
    else if (chance < 0.62) await logOut(life, page)
    else if (chance < 0.8) await save(life, page)
    else sent += await sendAll(life, page, int(random, 0, 3) > 0)
  }
  return { crossings: life.crossings, sent }
}

async function start(life: Life): Promise<Page> {
  const { phone, names } = life
  const scope = phone.lastScope
  const settings = await openSettings({
    defaults: DEFAULTS,
    stored: phone.kept,
    store: async (kept) => void (phone.kept = structuredClone(kept)),
    origin: ORIGIN,
    scope,
    isSignedIn: phone.sessions.has(names.session(scope)),
    read: async () => ({
      kind: 'read',
      config: { text: '', version: '1', said: life.config },
      problems: [],
    }),
    leaveCrm: async () => leave(life, scope),
    report: () => undefined,
  })
  if (settings.get().scope !== scope && names.beginsAnew) {
    phone.lastScope = settings.get().scope
    return start(life)
  }
  await settings.check()
  const page = { crm: crmOf(await settings.usable), scope }
  await show(life, page)
  return page
}

/** As `sweep-users.ts`: only where nothing is unsent. */
function leave({ phone, names }: Life, pageScope: string): boolean {
  const own = [...phone.stores].filter(([, { scope }]) => scope === '')
  if (own.some(([, { unsent }]) => unsent.length > 0)) return false
  for (const [name] of own) phone.stores.delete(name)
  phone.sessions.delete(names.session(names.left(pageScope)))
  phone.keys.forget(names.keys.goes)
  return true
}

const named = ({ phone }: Life) =>
  crmsOf(DEFAULTS, phone.kept?.config?.said ?? {}, knownTo(phone.kept), ORIGIN)

async function choose(life: Life, chance: number): Promise<Page> {
  const all = named(life)
  life.phone.lastScope = all[Math.floor(chance * all.length)]?.scope ?? ''
  return start(life)
}

async function logIn({ phone, names }: Life, { crm, scope }: Page, user: string): Promise<void> {
  const keys = await phone.keys.at(scope, names.keys)
  await phone.keys.login(keys, await names.database(user, scope), { crm, user })
  phone.sessions.set(names.session(scope), { issuer: crm, user, scope, expired: false })
}

/** What is on the device is opened; a session that was there has ended. */
async function logInOffline(life: Life, { crm, scope }: Page, user: string): Promise<void> {
  const { phone, names, crossings } = life
  const found = await phone.keys.offline(await phone.keys.at(scope, names.keys), user)
  if (!found) return
  if (found.crm !== crm) crossings.push(`a key of ${found.crm} opened at ${crm}`)
  phone.sessions.set(names.session(scope), { issuer: crm, user: found.user, scope, expired: true })
}

async function logOut({ phone, names, crossings }: Life, { scope }: Page): Promise<void> {
  phone.sessions.delete(names.session(scope))
  const inUse = async ({ user, scope: own }: PhoneSession) => names.database(user, own)
  const known = [...phone.sessions.values()].filter((each) => names.keys.knowsAll || each.scope === scope)
  const signedIn = await Promise.all(known.map(inUse))
  await (await phone.keys.at(scope, names.keys)).lock(async (user) => signedIn.includes(user))
  for (const each of phone.sessions.values())
    if (!phone.keys.isUsable(await inUse(each)))
      crossings.push(`a logout has locked the key of ${each.issuer}`)
}

async function storeOf({ phone, names }: Life, { scope }: Page) {
  const session = phone.sessions.get(names.session(scope))
  if (!session) return null
  const name = await names.database(session.user, scope)
  const store = phone.stores.get(name) ?? { scope, unsent: [], rows: [] }
  phone.stores.set(name, store)
  return { session, store }
}

async function show(life: Life, page: Page): Promise<void> {
  const opened = await storeOf(life, page)
  for (const of of [...(opened?.store.rows ?? []), ...(opened?.store.unsent ?? [])])
    if (of !== page.crm) life.crossings.push(`of ${of} on the screen of ${page.crm}`)
}

async function save(life: Life, page: Page): Promise<void> {
  const opened = await storeOf(life, page)
  opened?.store.unsent.push(page.crm)
  opened?.store.rows.push(page.crm)
}

/** The page's CRM, and from its frames all others that are named. @returns how many were sent */
async function sendAll(life: Life, page: Page, hasFrames: boolean): Promise<number> {
  const all = named(life)
  const others = all.flatMap(({ scope }) => {
    const env = life.names.frame(scope, all, knownTo(life.phone.kept), ORIGIN)
    return env && scope !== page.scope ? [{ crm: crmOf(env), scope }] : []
  })
  const frames = hasFrames ? others : []
  let sent = 0
  for (const each of [page, ...frames]) {
    const opened = await storeOf(life, each)
    if (!opened || opened.session.expired) continue
    const { session, store } = opened
    if (session.issuer !== each.crm) life.crossings.push(`a token of ${session.issuer} to ${each.crm}`)
    for (const of of store.unsent)
      if (of !== each.crm) life.crossings.push(`a change for ${of} to ${each.crm}`)
    sent += store.unsent.length
    store.unsent = []
  }
  return sent
}
