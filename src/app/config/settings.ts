/**
 * Decides with which settings a start runs (docs/decisions/config.md). The first screen never waits for the network: a
 * start uses the stored settings, and a new `config.json` applies from the next start.
 *
 *     start ─┬─ stored, CRM unchanged ─→ runs ─→ a new config.json is stored, a banner offers a reload
 *            ├─ stored, CRM changed ─┬─ nothing unsent ─→ device cleared ─→ runs with the new CRM
 *            │                       └─ unsent work ────→ runs with the earlier CRM
 *            └─ nothing stored (first start) ─→ the first call waits until config.json is read
 *
 * If `config.json` names several CRMs, each has its own part of the device (decisions/config). A start then runs with the
 * chosen CRM, and the data of the others stays.
 */
import type { RuntimeConfig } from '#schemas/device/runtime-config.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { createValueStore, signal } from '#lib/value-store.ts'
import { crmsOf, isSameCrm, missingIn, settingsOf, usedCrms, type KnownCrms, type Settings } from './env.ts'

export type StoredSettings = { running: Settings; config: StoredConfig | null; known?: KnownCrms }

export interface StoredConfig {
  text: string
  /** Version of the app that validated the text. A later version validates the text again. */
  version: string
  /** The parsed text. The field's name is part of the stored data and cannot change. */
  said: RuntimeConfig
}

export type ConfigRead =
  | { kind: 'unchanged'; problems: string[] }
  /** `config.json` is valid; `problems` names its unknown fields. */
  | { kind: 'read'; config: StoredConfig; problems: string[] }
  | { kind: 'refused'; problems: string[] }

export interface SettingsParts {
  defaults: Parameters<typeof settingsOf>[0]
  stored: StoredSettings | null
  store(stored: StoredSettings): Promise<void>
  origin: string
  scope: string
  isSignedIn: boolean
  read(known: StoredConfig | null): Promise<ConfigRead>
  /** Clears the first CRM's data. @returns false if unsent work would be lost; nothing is cleared then */
  leaveCrm(): Promise<boolean>
  report(problem: string): void
}

type SettingsOffer = 'other-settings' | 'other-crm' | 'held-crm'
export type DeviceSettings = Awaited<ReturnType<typeof openSettings>>

interface Run {
  running: Settings
  config: StoredConfig | null
  known: KnownCrms
  /** True once the CRM of this start is stored on disk. Another choice then applies from the next start only. */
  isDecided: boolean
}

type RunFacts = Pick<Run, 'config' | 'known'>

export async function openSettings(given: SettingsParts) {
  const parts = { ...given, report: once(given.report) }
  const run = await startRun(parts)
  const named = () => namedIn(parts, run)
  const isNamed = (scope: string) => named().some((each) => each.scope === scope)
  const { offer, minimumVersion, updateOffers } = openOffers(parts, run)
  const { done: usable, resolve } = signal<Settings>()
  const decide = async () => {
    if (run.isDecided || !(await storeDecision(parts, run))) return
    run.isDecided = true
    resolve(run.running)
  }
  const readOnce = async (): Promise<string | null> => {
    const answer = await parts.read(run.config)
    if (answer.kind === 'read') {
      await takeConfig(parts, run, answer.config)
      updateOffers()
    }
    if (answer.kind !== 'refused') await decide()
    const isExplained = run.isDecided || answer.kind === 'refused'
    const problems = isExplained ? answer.problems : missingIn(run.running)
    for (const problem of problems) parts.report(problem)
    return run.isDecided ? null : problems.join('\n')
  }
  let reading: Promise<string | null> | null = null
  /** Reads `config.json`. @returns the reason why the app cannot call the CRM; null if it can */
  const check = () => (reading ??= readOnce().finally(() => (reading = null)))
  if (parts.stored || parts.isSignedIn) await decide()
  return {
    get: () => run.running,
    crms: (): Settings[] => [...named(), ...usedCrms(run.known).filter(({ scope }) => !isNamed(scope))],
    isNamed,
    usable,
    check,
    problem: async () => (run.isDecided ? null : check()),
    offer,
    minimumVersion,
  }
}

/** Chooses the settings of this start. A changed CRM is stored before the first call, for the next start. */
async function startRun(parts: SettingsParts): Promise<Run> {
  const { stored, store, origin, leaveCrm, report } = parts
  const facts = { config: stored?.config ?? null, known: knownTo(stored) }
  const runWith = (running: Settings) => ({ ...facts, running, isDecided: false })
  const wanted = wantedIn(parts, facts)
  const { home } = facts.known
  // True if a new CRM replaces the device's first CRM. Both use the same storage names, so old data must be deleted.
  const isReplaced = home !== null && wanted.scope === '' && !isSameCrm(home, wanted, origin)
  if (!stored || !isReplaced) return runWith(wanted)
  try {
    if (!(await leaveCrm())) return runWith(home)
    await store({ running: wanted, config: stored.config, known: withRun(facts.known, wanted) })
    return runWith(wanted)
  } catch (error) {
    report(String(error))
    return runWith(home)
  }
}

function openOffers(parts: SettingsParts, run: Run) {
  const offerNow = () => offerOf(run.running, wantedIn(parts, run), parts.origin)
  // True if unsent work forces this start to use the earlier CRM.
  const isHeld = offerNow() === 'other-crm'
  const offered = () => {
    const next = offerNow()
    return next === 'other-crm' && isHeld ? 'held-crm' : next
  }
  const offer = createValueStore<SettingsOffer | null>(offered())
  const minimumVersion = createValueStore(wantedIn(parts, run).minimumVersion)
  const updateOffers = () => {
    offer.set(offered())
    minimumVersion.set(wantedIn(parts, run).minimumVersion)
  }
  return { offer, minimumVersion, updateOffers }
}

/** Stores which CRM this start uses. @returns true if the next start will know whose data is on the device */
async function storeDecision({ defaults, stored, store, origin, report }: SettingsParts, run: Run) {
  const { running, config } = run
  if (missingIn(running).length > 0) return false
  run.known = withRun(run.known, running)
  const decision = { running, config, known: run.known }
  // An ordinary start changes nothing, and need not wait for the disk.
  if (isSameJson(decision, stored)) return true
  const isStored = await store(decision).then(
    () => true,
    (error: unknown) => report(String(error)),
  )
  // A failed write does no harm if the next start would choose the same CRM anyway.
  return isStored === true || isSameCrm(running, stored?.running ?? settingsOf(defaults, {}), origin)
}

/** Applies a valid `config.json` to this start if no CRM was called yet, otherwise to the next start. */
async function takeConfig(parts: SettingsParts, run: Run, config: StoredConfig): Promise<void> {
  run.config = config
  const settings = wantedIn(parts, run)
  const isReplaced = settings.scope === '' && !isSameCrm(run.running, settings, parts.origin)
  const mustClear = isReplaced && missingIn(run.running).length === 0
  if (!run.isDecided && (!mustClear || (await parts.leaveCrm()))) run.running = settings
  if (!run.isDecided) return
  const { running, known } = run
  await parts.store({ running, config, known }).catch((error: unknown) => parts.report(String(error)))
}

const namedIn = ({ defaults, origin }: SettingsParts, { config, known }: RunFacts) =>
  crmsOf(defaults, config?.said ?? {}, known, origin)

/** Returns the settings of the chosen CRM, else those of the first in `config.json` (decisions/config). */
function wantedIn(parts: SettingsParts, facts: RunFacts): Settings {
  const crms = namedIn(parts, facts)
  return crms.find(({ scope }) => scope === parts.scope) ?? crms[0]
}

export const knownTo = (stored: StoredSettings | null): KnownCrms =>
  stored?.known ?? { home: stored?.running ?? null, used: [] }

function withRun({ home, used }: KnownCrms, running: Settings): KnownCrms {
  if (running.scope === '') return { home: running, used }
  return { home, used: [...used.filter(({ scope }) => scope !== running.scope), running] }
}

function offerOf(running: Settings, wanted: Settings, origin: string): SettingsOffer | null {
  // `minimumVersion` is not compared, because a new one applies without a restart.
  const { minimumVersion } = running
  if (isSameJson(running, { ...wanted, minimumVersion })) return null
  return isSameCrm(running, wanted, origin) ? 'other-settings' : 'other-crm'
}

function once(report: (problem: string) => void) {
  const reported = new Set<string>()
  return (problem: string): void => {
    if (reported.has(problem)) return
    reported.add(problem)
    report(problem)
  }
}
