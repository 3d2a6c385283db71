/** Written by `npm run schemas -- --bump <collection>`: the steps of this folder, one file each. */
import type { Steps } from './step.ts'

export const steps: Steps = {}
