/**
 * The browser for the tests: CHROMIUM_PATH, else an installed one, else Playwright's own download, else
 * Debian's package.
 *
 * @param say told what is being fetched
 * @throws where none can be had, with what to install
 */
export declare function findChromium(say: (line: string) => void): string;
