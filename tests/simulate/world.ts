/** What everything in a run happens in, and what the app in a tab needs of its phone. */
import type { Observable } from 'rxjs'
import type { SchedulerMemory } from '#sync/scheduler/scheduler.ts'
import type { CallBudget } from './call-budget.ts'
import type { Defect, ModelSessions } from './defect.ts'
import type { Crm } from './model-crm.ts'
import type { StorageStep } from './model-db.ts'
import type { ModelFileStore } from './model-file-store.ts'
import type { ModelLocks } from './model-locks.ts'
import type { Network } from './network.ts'
import type { FullDisk } from './full-disk.ts'
import type { FailingCrm } from './failing-crm.ts'
import type { PhotoWitness } from './photo-witness.ts'
import type { Config, Plan } from './plan-item.ts'
import type { Proc, Scheduler } from './scheduler.ts'
import type { Strikes } from './strikes.ts'
import type { Witness } from './witness.ts'

export interface World {
  plan: Plan
  config: Config
  time: Scheduler
  crm: Crm
  files: ModelFileStore
  network: Network
  failing: FailingCrm
  budget: CallBudget
  full: FullDisk
  witness: Witness
  photoWitness: PhotoWitness
  strikes: Strikes
  /** Of the writes of photos and their bytes. */
  photoStrikes: Strikes
  defect: Defect
  /** Names of those who may sign in. */
  users: readonly string[]
  /** Counts the ids given out. */
  ids: number
  /** Counts the photos taken. */
  photos: number
}

export interface Phone {
  name: string
  world: World
  locks: ModelLocks
  /** The session, whenever it is another one. */
  session$: Observable<unknown>
  /** The browser's online and offline events. */
  radio$: Observable<boolean>
  /** Text that all tabs see and that outlives them. */
  memoryOf(proc: Proc, name: string): SchedulerMemory
  now(): number
  chance(): number
  /** What is kept of the time, over all tabs and runs. */
  timeMemory: { get(): string | null; set(text: string): void }
  isSignedIn(userId: string): boolean
  until(proc: Proc, holds: () => boolean): Promise<void>
  poke(): void
  /** @param strikes which of its writes fail */
  storageSteps(proc: Proc, strikes: Strikes): StorageStep
  sessionStore(proc: Proc): ModelSessions
  crash(proc: Proc | null, whole: boolean): void
}
