/** The steps of this folder, one file each. Written by `npm run schemas -- --bump <collection>`. */
import type { Steps } from './step.ts'

export const steps: Steps = {}
