-- Starts the viewer with the files that the Finder opens, because winit 0.30 ignores such events.
on run
	start("")
end run

on open theFiles
	set theArguments to ""
	repeat with theFile in theFiles
		set theArguments to theArguments & " " & quoted form of POSIX path of theFile
	end repeat
	start(theArguments)
end open

on start(theArguments)
	set theProgram to POSIX path of (path to me) & "Contents/Resources/viewer.app/Contents/MacOS/pchr-view"
	do shell script (quoted form of theProgram) & theArguments & " >/dev/null 2>&1 &"
end start
