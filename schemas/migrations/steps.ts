/** Written by `npm run schemas -- --bump <collection>`: the steps of this folder, one file each. */
import { own1 } from './own-1.ts'
import type { Steps } from './step.ts'

export const steps: Steps = {
  own: { 1: own1 },
}
