@echo off
rem Opens characters with the pchr-viewer.exe beside this script, and shows thumbnails, for the current user: associate.cmd,
rem or associate.cmd remove. JSON and Aseprite files keep their program, and list pchr under "Open with".
setlocal
set "classes=HKCU\Software\Classes"
set "program=%~dp0pchr-viewer.exe"
set "thumbnails=%~dp0pchr_thumbnails.dll"
if /i "%~1"=="remove" goto remove
if not exist "%program%" (
  echo "%program%" is missing 1>&2
  exit /b 1
)
reg add "%classes%\pchr.character" /ve /d "2D character" /f >nul
if errorlevel 1 exit /b 1
reg add "%classes%\pchr.character\DefaultIcon" /ve /d "\"%program%\",0" /f >nul
reg add "%classes%\pchr.character\shell\open\command" /ve /d "\"%program%\" \"%%1\"" /f >nul
reg add "%classes%\Applications\pchr-viewer.exe" /v FriendlyAppName /d "pchr" /f >nul
reg add "%classes%\Applications\pchr-viewer.exe\shell\open\command" /ve /d "\"%program%\" \"%%1\"" /f >nul
for %%e in (pchr skel skf skfe sprsh json aseprite ase) do (
  reg add "%classes%\Applications\pchr-viewer.exe\SupportedTypes" /v .%%e /d "" /f >nul
)
for %%e in (pchr skel skf skfe sprsh) do (
  reg add "%classes%\.%%e" /ve /d pchr.character /f >nul
)
for %%e in (json aseprite ase) do (
  reg add "%classes%\.%%e\OpenWithProgids" /v pchr.character /d "" /f >nul
)
regsvr32 /s "%thumbnails%"
exit /b %errorlevel%

:remove
regsvr32 /s /u "%thumbnails%"
for %%e in (pchr skel skf skfe sprsh) do (
  rem Unless another program has taken it over.
  reg query "%classes%\.%%e" /ve 2>nul | find "pchr.character" >nul
  if not errorlevel 1 reg delete "%classes%\.%%e" /ve /f >nul
)
for %%e in (json aseprite ase) do (
  reg delete "%classes%\.%%e\OpenWithProgids" /v pchr.character /f >nul 2>nul
)
reg delete "%classes%\pchr.character" /f >nul 2>nul
reg delete "%classes%\Applications\pchr-viewer.exe" /f >nul 2>nul
exit /b 0
