/**
 * What the app runs with: the build's values, and before them those of `config.json` (docs/decisions/config.md).
 * The first screen never waits for the network: it runs with what was kept, and what is read anew counts from the next start.
 *
 *     start ─→ kept, of the same CRM ──────────────────────────────→ runs with it ─→ reads config.json ─→ kept, offered
 *           ├→ kept, of another CRM: nothing unsent ─→ device cleared ─↗
 *           │                        something unsent ─→ stays with the CRM it is for
 *           └→ nothing kept (first start) ─→ the first call waits until config.json was read
 *
 * Where `config.json` names several CRMs, each has its own part of the device (decisions/config): this start runs with
 * the one that was chosen, and nothing has to be cleared for another.
 */
import type { RuntimeConfig } from '#schemas/runtime-config.ts'
import { isSameJson } from '#lib/is-same.ts'
import { crmsOf, isSameCrm, missingIn, settingsOf, type KnownCrms, type Settings } from './env.ts'
import { createValueStore } from '#app/value-store.ts'

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
type SettingsOffer = 'other-settings' | 'other-crm' | 'held-crm'

export type DeviceSettings = Awaited<ReturnType<typeof openSettings>>

/** This start: what it runs with, and what is known by now. */
interface Run {
  running: Settings
  config: KeptConfig | null
  known: KnownCrms
  /** It is on disk what the app calls: another CRM is the next start's. */
  isDecided: boolean
}

export async function openSettings(given: SettingsParts) {
  const parts = { ...given, report: once(given.report) }
  const run = await startRun(parts)
  const named = () => namedIn(parts, run)
  const { offer, minimumVersion, follow } = openOffers(parts, run)
  const { done: usable, tell } = deferred<Settings>()
  const decide = async () => {
    if (run.isDecided || !(await keepDecision(parts, run))) return
    run.isDecided = true
    tell(run.running)
  }
  const lookOnce = async (): Promise<string | null> => {
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
  let looking: Promise<string | null> | null = null
  /** Reads `config.json`. @returns what keeps the app from calling the CRM, null where nothing does */
  const look = () => (looking ??= lookOnce().finally(() => (looking = null)))
  if (parts.kept || parts.isSignedIn) await decide()
  return {
    get: () => run.running,
    /** Every CRM that `config.json` names, and after them those that it no longer names and the device has something of. */
    crms: (): Settings[] => {
      const all = named()
      const isNamed = ({ scope: own }: Settings) => all.some((each) => each.scope === own)
      const { home, used } = run.known
      return [...all, ...[...(home ? [home] : []), ...used].filter((each) => !isNamed(each))]
    },
    isNamed: (own: string) => named().some((each) => each.scope === own),
    /** Once it is known what to call. */
    usable,
    look,
    /** As `look`, where that is not known yet. */
    problem: async () => (run.isDecided ? null : look()),
    offer,
    minimumVersion,
  }
}

async function startRun(parts: SettingsParts): Promise<Run> {
  const start = { config: parts.kept?.config ?? null, known: knownTo(parts.kept) }
  return { ...start, running: await startingWith(parts, wantedIn(parts, start)), isDecided: false }
}

/** What this start runs with. Another CRM's are on disk before anything is called: the next start must know whose data it has. */
async function startingWith(
  { kept, keep, origin, leaveCrm, report }: SettingsParts,
  wanted: Settings,
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

/** What is offered of what is known by now; `follow` once more is known. */
function openOffers(parts: SettingsParts, run: Run) {
  const now = () => offerOf(run.running, wantedIn(parts, run), parts.origin)
  // this start was to be the other CRM's, and could not
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

/** @returns whether the next start will know whose data the device has */
async function keepDecision({ defaults, kept, keep, origin, report }: SettingsParts, run: Run) {
  const { running, config } = run
  if (missingIn(running).length > 0) return false
  run.known = withRun(run.known, running)
  const isKept = await keep({ running, config, known: run.known }).then(
    () => true,
    (error: unknown) => report(String(error)),
  )
  // on a full disk those that the next start would run with anyway will do
  return isKept === true || isSameCrm(running, kept?.running ?? settingsOf(defaults, {}), origin)
}

/** A good `config.json`, for this start where it has called no CRM yet, else for the next. */
async function takeConfig(parts: SettingsParts, run: Run, config: KeptConfig): Promise<void> {
  run.config = config
  const settings = wantedIn(parts, run)
  const isOwn = settings.scope !== '' || isSameCrm(run.running, settings, parts.origin)
  const isFree = missingIn(run.running).length > 0 || isOwn
  if (!run.isDecided && (isFree || (await parts.leaveCrm()))) run.running = settings
  if (!run.isDecided) return
  const { running, known } = run
  await parts.keep({ running, config, known }).catch((error: unknown) => parts.report(String(error)))
}

const namedIn = ({ defaults, origin }: SettingsParts, { config, known }: Pick<Run, 'config' | 'known'>) =>
  crmsOf(defaults, config?.said ?? {}, known, origin)

const wantedIn = (parts: SettingsParts, run: Pick<Run, 'config' | 'known'>): Settings =>
  chosenOf(namedIn(parts, run), parts.scope)

/** What was kept by a version that knew one CRM is of that one. */
export const knownTo = (kept: KeptSettings | null): KnownCrms =>
  kept?.known ?? { home: kept?.running ?? null, used: [] }

function withRun({ home, used }: KnownCrms, running: Settings): KnownCrms {
  if (running.scope === '') return { home: running, used }
  return { home, used: [...used.filter(({ scope }) => scope !== running.scope), running] }
}

/**
 * Another than was chosen, where `config.json` names that one no longer: nothing of it is called or shown
 * (decisions/config).
 */
const chosenOf = (crms: readonly [Settings, ...Settings[]], scope: string): Settings =>
  crms.find((each) => each.scope === scope) ?? crms[0]

function offerOf(running: Settings, wanted: Settings, origin: string): SettingsOffer | null {
  // it is asked for, and needs no start
  const { minimumVersion } = running
  if (isSameJson(running, { ...wanted, minimumVersion })) return null
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
