import { parts } from 'virtual:arktype-parts'
import { loadedOnce } from './loaded-once.ts'
import { nextTask } from './next-task.ts'

/** ArkType, each part in a task of its own: as one it would hold up whoever types for half a second (decision 0112). */
export const loadArktype = loadedOnce(async () => {
  for (const load of parts) {
    await load()
    await nextTask()
  }
})
