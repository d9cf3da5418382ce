/**
 * Settings of the user that change what programs print, take or ask for: tests and the processes that they start run without them.
 * Those that say where a library lies (EXPEN_BLAS, EXPEN_CUDA, EXPEN_MPI) stay, and so do TZ, LANG and NODE_OPTIONS.
 */
const settings = ["FORCE_COLOR", "NO_COLOR", "EXPEN_DEBUG", "EXPEN_MEMORY", "EXPEN_MPI_INNER", "EXPEN_CUDA_DEVICE"];
for (const name of settings) delete process.env[name];
