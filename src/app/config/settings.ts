/**
 * The settings the app runs with: `config.json`, then the build's values (docs/decisions/config.md). The first screen never
 * waits for the network: it runs with the stored settings, and a new `config.json` applies from the next start.
 *
 *     start ─→ stored, of the same CRM ────────────────────────────→ runs with it ─→ reads config.json ─→ stored, offered
 *           ├→ stored, of another CRM: nothing unsent ─→ device cleared ─↗
 *           │                          unsent work ─→ stays with its CRM
 *           └→ nothing stored (first start) ─→ the first call waits until config.json is read
 *
 * With several CRMs in `config.json`, each has its own part of the device (decisions/config): this start runs with the chosen
 * one, and nothing is cleared for another.
 */
import type { RuntimeConfig } from '#schemas/device/runtime-config.ts'
import { isSameJson } from '#lib/is-same.ts'
import { crmsOf, isSameCrm, missingIn, settingsOf, type KnownCrms, type Settings } from './env.ts'
import { createValueStore } from '#lib/value-store.ts'

export interface StoredSettings {
  running: Settings
  config: StoredConfig | null
  /** Settings of each CRM's last use; missing where only one was used. */
  known?: KnownCrms
}

export interface StoredConfig {
  text: string
  /** The app's version that validated it: a later one knows more fields. */
  version: string
  said: RuntimeConfig
}

export type ConfigRead =
  /** `config.json` is unchanged, or could not be read: no answer, an error status, or the page of a Wi-Fi portal. */
  | { kind: 'unchanged'; problems: string[] }
  /** It is valid. `problems` lists unknown fields. */
  | { kind: 'read'; config: StoredConfig; problems: string[] }
  /** It is invalid. `problems` has a line for each wrong field. */
  | { kind: 'refused'; problems: string[] }

export interface SettingsParts {
  defaults: Parameters<typeof settingsOf>[0]
  stored: StoredSettings | null
  store(stored: StoredSettings): Promise<void>
  origin: string
  /** Scope of the chosen CRM (`crm-scope.ts`). */
  scope: string
  /** A user is signed in, so the app has already called a CRM. */
  isSignedIn: boolean
  read(known: StoredConfig | null): Promise<ConfigRead>
  /** Clears the device of one CRM. @returns false, with nothing cleared, if unsent work would be lost */
  leaveCrm(): Promise<boolean>
  report(problem: string): void
}

/** What the banner on the top screens offers to apply by a reload. */
type SettingsOffer = 'other-settings' | 'other-crm' | 'held-crm'

export type DeviceSettings = Awaited<ReturnType<typeof openSettings>>

/** State of this start: its settings, and what is known so far. */
interface Run {
  running: Settings
  config: StoredConfig | null
  known: KnownCrms
  /** True once the CRM of this start is stored on disk. A different choice then applies from the next start. */
  isDecided: boolean
}

export async function openSettings(given: SettingsParts) {
  const parts = { ...given, report: once(given.report) }
  const run = await startRun(parts)
  const named = () => namedIn(parts, run)
  const { offer, minimumVersion, follow } = openOffers(parts, run)
  const { done: usable, resolve } = deferred<Settings>()
  const decide = async () => {
    if (run.isDecided || !(await storeDecision(parts, run))) return
    run.isDecided = true
    resolve(run.running)
  }
  const readOnce = async (): Promise<string | null> => {
    const answer = await parts.read(run.config)
    if (answer.kind === 'read') {
      await takeConfig(parts, run, answer.config)
      follow()
    }
    if (answer.kind !== 'refused') await decide()
    const isTold = run.isDecided || answer.kind === 'refused'
    const problems = isTold ? answer.problems : missingIn(run.running)
    for (const problem of problems) parts.report(problem)
    return run.isDecided ? null : problems.join('\n')
  }
  let reading: Promise<string | null> | null = null
  /** Reads `config.json`. @returns why the app cannot call the CRM; null if it can */
  const check = () => (reading ??= readOnce().finally(() => (reading = null)))
  if (parts.stored || parts.isSignedIn) await decide()
  return {
    get: () => run.running,
    /** Every CRM that `config.json` names, then others with data on the device. */
    crms: (): Settings[] => {
      const all = named()
      const isNamed = ({ scope: own }: Settings) => all.some((each) => each.scope === own)
      const { home, used } = run.known
      return [...all, ...[...(home ? [home] : []), ...used].filter((each) => !isNamed(each))]
    },
    isNamed: (own: string) => named().some((each) => each.scope === own),
    /** Resolves once the CRM to call is known. */
    usable,
    check,
    /** Why the CRM cannot be called; null if it can. */
    problem: async () => (run.isDecided ? null : check()),
    offer,
    minimumVersion,
  }
}

async function startRun(parts: SettingsParts): Promise<Run> {
  const start = { config: parts.stored?.config ?? null, known: knownTo(parts.stored) }
  return { ...start, running: await startingWith(parts, wantedIn(parts, start)), isDecided: false }
}

/** Settings of this start. Those of another CRM are stored before the first call: the next start must know whose data it has. */
async function startingWith(
  { stored, store, origin, leaveCrm, report }: SettingsParts,
  wanted: Settings,
): Promise<Settings> {
  const known = knownTo(stored)
  const { home } = known
  if (!stored || !home || wanted.scope !== '' || isSameCrm(home, wanted, origin)) return wanted
  try {
    if (!(await leaveCrm())) return home
    await store({ running: wanted, config: stored.config, known: withRun(known, wanted) })
    return wanted
  } catch (error) {
    report(String(error))
    return home
  }
}

/** Offers by what is known so far; `follow` updates them. */
function openOffers(parts: SettingsParts, run: Run) {
  const now = () => offerOf(run.running, wantedIn(parts, run), parts.origin)
  // True if this start had to stay with the earlier CRM, because its unsent work would be lost.
  const isHeld = now() === 'other-crm'
  const offered = () => {
    const offer = now()
    return offer === 'other-crm' && isHeld ? 'held-crm' : offer
  }
  const offer = createValueStore<SettingsOffer | null>(offered())
  const minimumVersion = createValueStore(wantedIn(parts, run).minimumVersion)
  const follow = () => {
    offer.set(offered())
    minimumVersion.set(wantedIn(parts, run).minimumVersion)
  }
  return { offer, minimumVersion, follow }
}

/** @returns true if the next start will know whose data the device has */
async function storeDecision({ defaults, stored, store, origin, report }: SettingsParts, run: Run) {
  const { running, config } = run
  if (missingIn(running).length > 0) return false
  run.known = withRun(run.known, running)
  const isStored = await store({ running, config, known: run.known }).then(
    () => true,
    (error: unknown) => report(String(error)),
  )
  // a full disk does not matter if the next start would choose the same CRM anyway
  return isStored === true || isSameCrm(running, stored?.running ?? settingsOf(defaults, {}), origin)
}

/** Applies a valid `config.json` to this start if no CRM was called yet, else to the next. */
async function takeConfig(parts: SettingsParts, run: Run, config: StoredConfig): Promise<void> {
  run.config = config
  const settings = wantedIn(parts, run)
  const isOwn = settings.scope !== '' || isSameCrm(run.running, settings, parts.origin)
  const isFree = missingIn(run.running).length > 0 || isOwn
  if (!run.isDecided && (isFree || (await parts.leaveCrm()))) run.running = settings
  if (!run.isDecided) return
  const { running, known } = run
  await parts.store({ running, config, known }).catch((error: unknown) => parts.report(String(error)))
}

const namedIn = ({ defaults, origin }: SettingsParts, { config, known }: Pick<Run, 'config' | 'known'>) =>
  crmsOf(defaults, config?.said ?? {}, known, origin)

const wantedIn = (parts: SettingsParts, run: Pick<Run, 'config' | 'known'>): Settings =>
  chosenOf(namedIn(parts, run), parts.scope)

/** The used CRMs; settings stored by a version with a single CRM belong to that one. */
export const knownTo = (stored: StoredSettings | null): KnownCrms =>
  stored?.known ?? { home: stored?.running ?? null, used: [] }

function withRun({ home, used }: KnownCrms, running: Settings): KnownCrms {
  if (running.scope === '') return { home: running, used }
  return { home, used: [...used.filter(({ scope }) => scope !== running.scope), running] }
}

/**
 * The chosen CRM; the first one if `config.json` no longer names it, so that it is neither called nor shown
 * (decisions/config).
 */
const chosenOf = (crms: readonly [Settings, ...Settings[]], scope: string): Settings =>
  crms.find((each) => each.scope === scope) ?? crms[0]

function offerOf(running: Settings, wanted: Settings, origin: string): SettingsOffer | null {
  // it applies without a restart
  const { minimumVersion } = running
  if (isSameJson(running, { ...wanted, minimumVersion })) return null
  return isSameCrm(running, wanted, origin) ? 'other-settings' : 'other-crm'
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const done = new Promise<T>((settle) => (resolve = settle))
  return { done, resolve }
}

/** Reports each problem once per run. */
function once(report: (problem: string) => void) {
  const reported = new Set<string>()
  return (problem: string): void => {
    if (reported.has(problem)) return
    reported.add(problem)
    report(problem)
  }
}
