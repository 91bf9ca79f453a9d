// Runs before the first paint: puts the chosen theme, density and text size on the document, so that nothing flashes.
import { readSettings, showSettings } from './data/settings.ts';

showSettings(readSettings());
