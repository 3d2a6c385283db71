/** A phone's logins, locks and pages, where what lies on it is sealed: the keys are those of the shipped parts. */
import type { StaffUser } from './crm-state.ts'
import type { Session } from '#schemas/device/session.ts'
import type { KeyPort, SealPort } from './page-port.ts'
import { databaseOf, type PhoneSeal, type Step } from './phone-seal.ts'
import type { PhoneKeys } from './sealed-page.ts'
import type { TabLocks } from './tab-locks.ts'
import type { Watched } from './watched.ts'
import type { PullWitness } from './witness.ts'

interface Tab {
  alive: boolean
  name: string
  isDead: boolean
  thawsAt: number
}

interface Phone extends Watched {
  seal: PhoneSeal | null
  session: Session | null
  openedWith: Map<string, string>
  locks: TabLocks
  world: { witness: PullWitness }
  shipped: (port: KeyPort) => PhoneKeys
  signIn(user: StaffUser): void
  thawed(tab: Tab): Promise<void>
}

/** As whoever the CRM says yes to; whoever was signed in until now keeps their key. */
export async function logIn(phone: Phone, user: StaffUser): Promise<void> {
  const { seal } = phone
  if (!seal) return phone.signIn(user)
  seal.isBusy = true
  const isFirst = user !== phone.user || phone.session === null
  if (isFirst && phone.session) await logOut(phone)
  const password = seal.passwordOf(user.id)
  await keysBy(phone, null).login(databaseOf(user.id), password)
  phone.openedWith.set(user.id, password)
  phone.signIn(user)
  seal.isBusy = false
}

/** Nobody is signed in any more. */
export async function logOut(phone: Phone): Promise<void> {
  const { seal } = phone
  if (!seal) return
  seal.isBusy = true
  phone.session = null
  await keysBy(phone, null).lock()
  seal.checkLocked('a logout')
}

/** @param tab whose page does it; null: a page without data */
export function keysBy(phone: Phone, tab: Tab | null): PhoneKeys {
  if (!phone.seal) throw new Error('nothing is sealed')
  const isAlive = () => tab?.isDead !== true
  const step: Step = () => (isAlive() ? undefined : new Promise(() => undefined))
  const locks = phone.locks.of({
    name: tab?.name ?? phone.name,
    isAlive,
    thawed: async () => (tab ? phone.thawed(tab) : undefined),
  })
  return phone.shipped(phone.seal.keyPort(step, locks))
}

/** Whether a page may show anything: one that starts locks first where a lock was cut short. */
export async function mayOpen(phone: Phone): Promise<boolean> {
  const { seal } = phone
  if (!seal) return true
  if (seal.isBusy) return false
  if (!seal.wantsLock) return true
  if (!seal.isLocked) {
    await keysBy(phone, null).lock()
    seal.locked()
  }
  return false
}

/** What a page is given of it; nothing where nothing is sealed. */
export function sealPortOf(
  phone: Phone,
  tab: Tab,
  { locks, step }: { locks: LockManager; step: Step },
): { seal?: SealPort } {
  const { seal, user } = phone
  if (!seal) return {}
  const { witness } = phone.world
  const port = seal.pagePort({
    user: user.id,
    step,
    locks,
    wrote: (disk, store, before, after) => {
      if (seal.isShut && tab.thawsAt === 0)
        witness.broken('SV6', `${tab.name} writes ${store.collection} while locked`)
      const doc = disk.opened(store, after)
      witness.wrote(phone, disk.kindOf(store, doc), before && disk.opened(store, before), doc)
    },
    otherStores: () => witness.otherStores(phone),
  })
  return { seal: port }
}

/** A page calls. */
export function called({ seal, world }: Phone, tab: Tab, url: string, method = 'GET'): void {
  // the timers of a page that has died run on in its realm; its calls go nowhere
  if (!seal || tab.isDead) return
  if (seal.isShut && tab.thawsAt === 0) world.witness.broken('SV6', `${tab.name} calls ${url} while locked`)
  if (!url.includes('/check') && !url.includes('/security/')) seal.passes(method === 'GET' ? 'read' : 'send')
}
