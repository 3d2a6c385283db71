import type { Plant as PullPlant } from '../simulate/pull/plants.d.mts'

/** An expression of the shipped code, what it becomes, and the tests that must fail with it. */
export type Plant = Omit<PullPlant, 'seed'> & { tests: readonly string[] }
export declare const plants: readonly Plant[]
export declare function planted(text: string, plant: Pick<Plant, 'name' | 'from' | 'to'>): string
export declare function roomOf(plant: Pick<Plant, 'file'>): string
