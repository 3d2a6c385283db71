/**
 * What the app runs with: the build's values, and before them those of `config.json` (docs/decisions/0071-runtime-config.md).
 * The first screen never waits for the network: it runs with what was kept, and what is read anew counts from the next start.
 *
 *     start ─→ kept, of the same CRM ──────────────────────────────→ runs with it ─→ reads config.json ─→ kept, offered
 *           ├→ kept, of another CRM: nothing unsent ─→ device cleared ─↗
 *           │                        something unsent ─→ stays with the CRM it is for
 *           └→ nothing kept (first start) ─→ the first call waits until config.json was read
 *
 * Where `config.json` names several CRMs, each has its own part of the device (decision 0083): this start runs with the one
 * that was chosen, and nothing has to be cleared for another.
 */
import type { RuntimeConfig } from '#schemas/runtime-config.ts'
import { crmsOf, isSameCrm, missingIn, settingsOf, type KnownCrms, type Settings } from './env.ts'
import { createValueStore } from './value-store.ts'

/** What the device keeps of it. */
export interface KeptSettings {
  running: Settings
  /** The last `config.json` that was good. */
  config: KeptConfig | null
  /** What it last ran with of each CRM; one that kept less has run with one only. */
  known?: KnownCrms
}

export interface KeptConfig {
  text: string
  /** The app's version that checked it: a later one knows more fields. */
  version: string
  said: RuntimeConfig
}

/** What came of reading `config.json`. */
export type ConfigRead =
  /** As it was, or there is none: no answer, an error status, somebody else's page. */
  | { kind: 'unchanged'; problems: string[] }
  /** A good one; problems are fields that nobody knows. */
  | { kind: 'read'; config: KeptConfig; problems: string[] }
  /** It is JSON, or means to be, and is wrong: a line for each field. */
  | { kind: 'refused'; problems: string[] }

export interface SettingsParts {
  defaults: Parameters<typeof settingsOf>[0]
  kept: KeptSettings | null
  keep(kept: KeptSettings): Promise<void>
  origin: string
  /** Of the CRM that was chosen (`crm-scope.ts`). */
  scope: string
  /** Somebody is signed in: then the app has called a CRM already. */
  isSignedIn: boolean
  read(known: KeptConfig | null): Promise<ConfigRead>
  /** Clears the device of one CRM. @returns false where that would lose what is unsent: then nothing is cleared */
  leaveCrm(): Promise<boolean>
  report(problem: string): void
}

/** What is offered at a top screen, to be taken by a reload. */
export type SettingsOffer = 'other-settings' | 'other-crm' | 'held-crm'

export type DeviceSettings = Awaited<ReturnType<typeof openSettings>>

export async function openSettings(parts: SettingsParts) {
  const { defaults, kept, keep, origin, scope, read, leaveCrm } = parts
  const report = once(parts.report)
  let config = kept?.config ?? null
  let known = knownTo(kept)
  const named = () => crmsOf(defaults, config?.said ?? {}, known, origin)
  const wanted = () => chosenOf(named(), scope)
  let running = await startingWith(parts, wanted(), report)
  // this start was to be the other CRM's, and could not
  const isHeld = offerOf(running, wanted(), origin) === 'other-crm'
  const offered = () => {
    const offer = offerOf(running, wanted(), origin)
    return offer === 'other-crm' && isHeld ? 'held-crm' : offer
  }
  const offer = createValueStore<SettingsOffer | null>(offered())
  const minimumVersion = createValueStore(wanted().minimumVersion)
  const { done: usable, tell } = deferred<Settings>()
  let isDecided = false
  const decide = async () => {
    if (isDecided || missingIn(running).length > 0) return
    known = withRun(known, running)
    const isKept = await keep({ running, config, known }).then(
      () => true,
      (error: unknown) => report(String(error)),
    )
    // on a full disk those that the next start would run with anyway will do
    const byItself = kept?.running ?? settingsOf(defaults, {})
    if (!isKept && !isSameCrm(running, byItself, origin)) return
    isDecided = true
    tell(running)
  }
  const take = async (next: KeptConfig) => {
    config = next
    const settings = wanted()
    const isOwn = settings.scope !== '' || isSameCrm(running, settings, origin)
    const isFree = missingIn(running).length > 0 || isOwn
    if (!isDecided && (isFree || (await leaveCrm()))) running = settings
    if (isDecided) await keep({ running, config, known }).catch((error: unknown) => report(String(error)))
    offer.set(offered())
    minimumVersion.set(settings.minimumVersion)
  }
  const lookOnce = async (): Promise<string | null> => {
    const answer = await read(config)
    if (answer.kind === 'read') await take(answer.config)
    if (answer.kind !== 'refused') await decide()
    const problems = isDecided || answer.kind === 'refused' ? answer.problems : missingIn(running)
    for (const problem of problems) report(problem)
    return isDecided ? null : problems.join('\n')
  }
  let looking: Promise<string | null> | null = null
  /** Reads `config.json`. @returns what keeps the app from calling the CRM, null where nothing does */
  const look = () => (looking ??= lookOnce().finally(() => (looking = null)))
  if (kept || parts.isSignedIn) await decide()
  return {
    get: () => running,
    /** Every CRM that `config.json` names, and after them those that it no longer names and the device has something of. */
    crms: (): Settings[] => {
      const all = named()
      const isNamed = ({ scope: own }: Settings) => all.some((each) => each.scope === own)
      const before = [...(known.home ? [known.home] : []), ...known.used]
      return [...all, ...before.filter((each) => !isNamed(each))]
    },
    isNamed: (own: string) => named().some((each) => each.scope === own),
    /** Once it is known what to call. */
    usable,
    look,
    /** As `look`, where that is not known yet. */
    problem: async () => (isDecided ? null : look()),
    offer,
    minimumVersion,
  }
}

/** What this start runs with. Another CRM's are on disk before anything is called: the next start must know whose data it has. */
async function startingWith(
  { kept, keep, origin, leaveCrm }: SettingsParts,
  wanted: Settings,
  report: (problem: string) => void,
): Promise<Settings> {
  const known = knownTo(kept)
  const { home } = known
  if (!kept || !home || wanted.scope !== '' || isSameCrm(home, wanted, origin)) return wanted
  try {
    if (!(await leaveCrm())) return home
    await keep({ running: wanted, config: kept.config, known: withRun(known, wanted) })
    return wanted
  } catch (error) {
    report(String(error))
    return home
  }
}

/** What was kept by a version that knew one CRM is of that one. */
export const knownTo = (kept: KeptSettings | null): KnownCrms =>
  kept?.known ?? { home: kept?.running ?? null, used: [] }

function withRun({ home, used }: KnownCrms, running: Settings): KnownCrms {
  if (running.scope === '') return { home: running, used }
  return { home, used: [...used.filter(({ scope }) => scope !== running.scope), running] }
}

/** Another than was chosen, where `config.json` names that one no longer: nothing of it is called or shown (decision 0083). */
const chosenOf = (crms: readonly [Settings, ...Settings[]], scope: string): Settings =>
  crms.find((each) => each.scope === scope) ?? crms[0]

function offerOf(running: Settings, wanted: Settings, origin: string): SettingsOffer | null {
  // it is asked for, and needs no start
  const { minimumVersion } = running
  if (JSON.stringify(running) === JSON.stringify({ ...wanted, minimumVersion })) return null
  return isSameCrm(running, wanted, origin) ? 'other-settings' : 'other-crm'
}

function deferred<T>() {
  let tell: (value: T) => void = () => undefined
  const done = new Promise<T>((resolve) => (tell = resolve))
  return { done, tell }
}

/** What was told once in this run is not told again. */
function once(report: (problem: string) => void) {
  const told = new Set<string>()
  return (problem: string): void => {
    if (told.has(problem)) return
    told.add(problem)
    report(problem)
  }
}
