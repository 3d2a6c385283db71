export declare function withDefects(code: string, path: string): string
export declare function buildPull(options?: { withPlants?: boolean }): Promise<void>
